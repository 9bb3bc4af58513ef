package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.stockstats.trade.Decoded;
import io.stockstats.trade.Rejection;
import io.stockstats.trade.Rejection.Reason;
import io.stockstats.trade.Skipped;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.DecimalField.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns a record of the trades topic into a trade, or says why it is none.
 *
 * <p>A trade is one JSON object of at most {@value #MAX_BYTES} bytes in UTF-8 that nests at most {@value #MAX_DEPTH}
 * deep. The checks run in the order of {@link Reason}, after all of the value has been read; the first that fails is
 * the reason. Trades of a type that does not count are set aside before their parts are checked, so that a feed's
 * quotes do not fill the rejected topic.
 *
 * <p>Safe for use by several threads.
 */
public final class TradeDecoder {

    /** The size of the largest value that is read, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    /** How deep a value may nest; the trade's own object is the first level. */
    public static final int MAX_DEPTH = 1_000;

    private static final int MAX_DETAIL_CHARS = 200;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final String ONE_OBJECT = "; expected one JSON object";
    private static final String TICKER_RULE = "; expected 1 to " + Ticker.MAX_CODE_POINTS
            + " code points without white space, control characters, comma or semicolon";
    private static final String RANGE = "a number from 1e-18 to 1e18";

    // Characters rather than bytes go into the parser: it would guess at the encoding of bytes. Names are not kept from
    // one record to the next: what is kept would grow with every name that a hostile producer invents.
    private static final JsonFactory JSON = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNameLength(MAX_BYTES)
                    .maxStringLength(MAX_BYTES)
                    .maxNumberLength(MAX_BYTES)
                    .build())
            .build();

    private final TradeFormat format;
    private final Clock clock;
    private final long earliestNanos;
    private final long maxFutureNanos;

    /**
     * @param format how records are read
     * @param clock the wall clock that tells which event times lie in the future
     */
    public TradeDecoder(TradeFormat format, Clock clock) {
        this.format = format;
        this.clock = clock;
        Instant earliest = format.earliest();
        Duration maxFuture = format.maxFuture();
        this.earliestNanos = nanos(earliest.getEpochSecond(), earliest.getNano());
        this.maxFutureNanos = nanos(maxFuture.toSeconds(), maxFuture.toNanosPart());
    }

    /**
     * What the record is. Never throws, whatever the record holds.
     *
     * @param key the record's key, null when it has none
     * @param value the record's value, null for a tombstone
     * @param recordTimestampMs the record's timestamp, in milliseconds since the epoch; negative when it has none
     */
    public Decoded decode(byte @Nullable [] key, byte @Nullable [] value, long recordTimestampMs) {
        TradeReader trade = new TradeReader(format.fields(), format.timestampUnit());
        String fault = read(value, trade);
        if (!fault.isEmpty()) {
            return rejection(Reason.MALFORMED, fault);
        }
        if (!counts(trade.type())) {
            return Skipped.TYPE;
        }
        return judge(key, trade, recordTimestampMs);
    }

    /** Reads the value into {@code trade}; what keeps it from being one JSON object, empty when nothing does. */
    private static String read(byte @Nullable [] value, TradeReader trade) {
        if (value == null) {
            return "the record has no value (a tombstone)" + ONE_OBJECT;
        }
        if (value.length > MAX_BYTES) {
            return "the value is " + value.length + " bytes long; expected at most " + MAX_BYTES;
        }
        char[] text = new char[value.length];
        int length = Utf8.decode(value, text);
        if (length < 0) {
            return "the value is not valid UTF-8 at byte " + (-1 - length);
        }
        if (length > 0 && text[0] == '\uFEFF') {
            return "the value begins with a byte order mark; expected plain UTF-8";
        }
        try (JsonParser parser = JSON.createParser(text, 0, length)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return "the value is empty" + ONE_OBJECT;
            }
            if (first != JsonToken.START_OBJECT) {
                return "the value is " + Seen.kind(first) + ONE_OBJECT;
            }
            trade.read(parser);
            return parser.nextToken() == null ? "" : "the value goes on after its JSON object" + ONE_OBJECT;
        } catch (StreamConstraintsException e) {
            // The other limits lie above what fits into a value.
            return "the value nests deeper than " + MAX_DEPTH + " levels";
        } catch (JsonEOFException e) {
            return "the value ends within its JSON object, after " + near(text, length, length);
        } catch (JsonParseException e) {
            JsonLocation location = e.getLocation();
            int at = location == null ? 0 : (int) Math.max(0, Math.min(length, location.getCharOffset()));
            return "the value is not JSON at character " + at + ", after " + near(text, at, length) + ONE_OBJECT;
        } catch (IOException | RuntimeException e) {
            // A record must never stop the stream, not even one that finds a fault in the parser.
            return "the value cannot be parsed: " + e.getClass().getSimpleName();
        }
    }

    private static String near(char[] text, int at, int length) {
        int to = Math.min(at, length);
        return Seen.quoted(text, Math.max(0, to - 30), to);
    }

    private boolean counts(@Nullable String type) {
        return format.types().isEmpty() || (type != null && format.types().contains(type));
    }

    private Decoded judge(byte @Nullable [] key, TradeReader trade, long recordTimestampMs) {
        String named = trade.ticker();
        String symbol;
        if (trade.tickerKind() != null) {
            return rejection(Reason.INVALID_TICKER, tickerName() + " is " + trade.tickerKind() + "; expected a string");
        } else if (named != null) {
            symbol = named;
        } else if (key == null) {
            return rejection(
                    Reason.MISSING_TICKER,
                    tickerName() + " is absent and the record has no key; expected a ticker in either");
        } else {
            char[] text = new char[key.length];
            int length = Utf8.decode(key, text);
            if (length < 0) {
                return rejection(Reason.INVALID_TICKER, "the key " + Seen.quoted(key) + " is not valid UTF-8");
            }
            symbol = new String(text, 0, length);
        }
        String fault = Ticker.faultIn(symbol);
        if (!fault.isEmpty()) {
            String where = named == null ? "the key " : tickerName() + " ";
            return rejection(Reason.INVALID_TICKER, where + Seen.quoted(symbol) + " " + fault + TICKER_RULE);
        }
        if (named != null && !format.rekey() && !isKey(key, named)) {
            return rejection(
                    Reason.KEY_MISMATCH,
                    (key == null ? "the record has no key" : "the key is " + Seen.quoted(key)) + ", the ticker is "
                            + Seen.quoted(named) + "; expected the ticker as key, or rekey=true");
        }
        DecimalField price = trade.price();
        if (price.verdict() != Verdict.WITHIN) {
            return rejection(Reason.INVALID_PRICE, fault(format.fields().price(), price, RANGE));
        }
        DecimalField size = trade.size();
        if (!isSize(size.verdict())) {
            return rejection(Reason.INVALID_SIZE, fault(format.fields().size(), size, "0 or " + RANGE));
        }
        return judgeTime(new Ticker(symbol), trade, recordTimestampMs);
    }

    private Decoded judgeTime(Ticker ticker, TradeReader trade, long recordTimestampMs) {
        TimestampField timestamp = trade.timestamp();
        long nanos;
        switch (timestamp.verdict()) {
            case UNREADABLE -> {
                return rejection(
                        Reason.INVALID_TIMESTAMP,
                        Seen.quoted(format.fields().timestamp()) + " is " + timestamp.seen()
                                + "; expected an RFC 3339 date-time, or an integer in "
                                + unit());
            }
            case ABSENT -> {
                if (recordTimestampMs < 0) {
                    return rejection(
                            Reason.INVALID_TIMESTAMP,
                            Seen.quoted(format.fields().timestamp())
                                    + " is absent and the record has no timestamp; expected one of them");
                }
                nanos = TimestampUnit.MS.toNanos(recordTimestampMs);
            }
            default -> nanos = timestamp.nanos();
        }
        if (nanos < earliestNanos) {
            return rejection(
                    Reason.INVALID_TIMESTAMP,
                    time(timestamp, nanos) + ", before " + format.earliest()
                            + "; expected a later time, or an integer in " + unit());
        }
        long nowMs = clock.millis();
        if (nanos > latestNanos(nowMs)) {
            return rejection(
                    Reason.FUTURE_TIMESTAMP,
                    time(timestamp, nanos) + "; expected at most " + format.maxFuture()
                            + " after the wall clock, which is at " + Instant.ofEpochMilli(nowMs));
        }
        return new Trade(ticker, trade.price().value(), trade.size().value(), trade.type(), nanos);
    }

    private static boolean isKey(byte @Nullable [] key, String symbol) {
        return key != null && Arrays.equals(key, symbol.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isSize(Verdict verdict) {
        return switch (verdict) {
            case ABSENT, ZERO, WITHIN -> true;
            case NOT_A_NUMBER, NEGATIVE, TOO_SMALL, TOO_LARGE -> false;
        };
    }

    /** The latest event time that is believed; below the largest long, which stands for every time beyond it. */
    private long latestNanos(long nowMs) {
        long now = TimestampUnit.MS.toNanos(nowMs);
        return now >= Long.MAX_VALUE - maxFutureNanos ? Long.MAX_VALUE - 1 : now + maxFutureNanos;
    }

    private String tickerName() {
        return Seen.quoted(format.fields().ticker());
    }

    private String unit() {
        return format.timestampUnit().name().toLowerCase(Locale.ROOT);
    }

    private static String fault(String name, DecimalField field, String expected) {
        String is = switch (field.verdict()) {
            case ABSENT -> "absent";
            case ZERO -> "0";
            case NOT_A_NUMBER, NEGATIVE, TOO_SMALL, WITHIN, TOO_LARGE -> field.seen();
        };
        return Seen.quoted(name) + " is " + is + "; expected " + expected;
    }

    private String time(TimestampField timestamp, long nanos) {
        String where = timestamp.verdict() == TimestampField.Verdict.ABSENT
                ? "the record's timestamp"
                : Seen.quoted(format.fields().timestamp());
        String bound = nanos == Long.MAX_VALUE ? " is at least " : nanos == Long.MIN_VALUE ? " is at most " : " is ";
        return where
                + bound
                + Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS_PER_SECOND), Math.floorMod(nanos, NANOS_PER_SECOND));
    }

    private static long nanos(long seconds, int fraction) {
        long nanos = TimestampUnit.S.toNanos(seconds);
        return nanos > Long.MAX_VALUE - fraction ? Long.MAX_VALUE : nanos + fraction;
    }

    private static Rejection rejection(Reason reason, String detail) {
        return new Rejection(reason, Seen.cut(detail, MAX_DETAIL_CHARS));
    }
}
