package io.stockstats.web;

import static java.util.stream.Collectors.joining;

import io.stockstats.query.StatsQueries;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.WindowRules;
import io.stockstats.trade.Ticker;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads request parameters; what cannot be read ends the request with a 400 that names the parameter. */
final class Parameters {

    static final String CONSISTENCY =
            "strict: from the partition's owner only, or not at all. any: while the owner is away"
                    + " a copy answers, and the answer has stale and lag";

    private static final int MOST_TICKERS = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private Parameters() {}

    /** The ticker in a path: one percent-encoded segment, decoded once. */
    static Ticker tickerOfPath(String encoded) {
        try {
            return ticker("ticker", decoded(encoded));
        } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw bad("ticker", "must be percent-encoded UTF-8.");
        }
    }

    private static String decoded(String encoded) throws CharacterCodingException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length());
        for (int i = 0; i < encoded.length(); ) {
            if (encoded.charAt(i) == '%') {
                bytes.write(HexFormat.fromHexDigits(encoded, i + 1, i + 3));
                i += 3;
            } else {
                int c = encoded.codePointAt(i);
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                i += Character.charCount(c);
            }
        }
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes.toByteArray()))
                .toString();
    }

    private static Ticker ticker(String name, String text) {
        String fault = Ticker.faultIn(text);
        if (!fault.isEmpty()) {
            throw bad(name, "is not a ticker: it " + fault + ".");
        }
        return new Ticker(text);
    }

    static Optional<Ticker> after(@Nullable String text) {
        return text == null ? Optional.empty() : Optional.of(ticker("after", text));
    }

    static SortedSet<Ticker> tickers(@Nullable String text) {
        SortedSet<Ticker> tickers = new TreeSet<>();
        if (text != null) {
            for (String symbol : text.split(",", -1)) {
                tickers.add(ticker("tickers", symbol));
                if (tickers.size() > MOST_TICKERS) {
                    throw bad("tickers", "must name at most " + MOST_TICKERS + " tickers.");
                }
            }
        }
        return tickers;
    }

    /** A window's size in milliseconds; the configured one when {@code text} is null. */
    static long window(@Nullable String text, WindowRules rules) {
        return window(text, rules, rules.size());
    }

    /** A window's size in milliseconds; {@code otherwise} when {@code text} is null. */
    static long window(@Nullable String text, WindowRules rules, long otherwise) {
        if (text == null && rules.canAnswer(otherwise)) {
            return otherwise;
        }
        try {
            Duration size = Duration.parse(text == null ? "" : text);
            if (size.equals(Duration.ofMillis(size.toMillis())) && rules.canAnswer(size.toMillis())) {
                return size.toMillis();
            }
        } catch (DateTimeException | ArithmeticException e) {
            // Said below, in the same words as for a size that does not fit.
        }
        throw bad(
                "window",
                "must be an ISO-8601 duration such as PT1M, a multiple of " + Duration.ofMillis(rules.advance())
                        + " up to " + Duration.ofMillis(rules.retention()) + ".");
    }

    static int integer(String name, @Nullable String text, int otherwise, int least, int most) {
        if (text == null) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below, in the same words as for a number out of range.
        }
        throw bad(name, "must be a whole number from " + least + " to " + most + ".");
    }

    /** A point in time in epoch milliseconds, from these or from ISO-8601. */
    static Optional<Long> time(String name, @Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(bounded(name, Long.parseLong(text)));
        } catch (NumberFormatException notANumber) {
            try {
                Instant time = OffsetDateTime.parse(text).toInstant();
                // Windows start on milliseconds: the first that is not before the time says the same.
                long millis = time.plusNanos(NANOS_PER_MILLI - 1).toEpochMilli();
                return Optional.of(bounded(name, millis));
            } catch (DateTimeException | ArithmeticException e) {
                throw bad(
                        name,
                        "must be epoch milliseconds, or ISO-8601 with an offset such as " + Instant.EPOCH
                                + " (write + as %2B).");
            }
        }
    }

    /** Keeps arithmetic with windows from overflowing: event times end in the year 2262. */
    private static long bounded(String name, long millis) {
        if (millis < 0 || millis > Long.MAX_VALUE / 1_000_000) {
            throw bad(name, "must be from 0 to " + Long.MAX_VALUE / 1_000_000 + " epoch milliseconds.");
        }
        return millis;
    }

    static boolean descending(@Nullable String text, boolean otherwise) {
        if (text == null) {
            return otherwise;
        }
        return choice("order", text, "asc", "desc");
    }

    static StatsQueries.Consistency consistency(@Nullable String text) {
        return text != null && choice("consistency", text, "any", "strict")
                ? StatsQueries.Consistency.STRICT
                : StatsQueries.Consistency.ANY;
    }

    /** Whether it is {@code second}, when it must be one of the two. */
    private static boolean choice(String name, String text, String first, String second) {
        if (text.equals(first) || text.equals(second)) {
            return text.equals(second);
        }
        throw bad(name, "must be " + first + " or " + second + ".");
    }

    static Ranking.By rankedBy(@Nullable String text) {
        if (text == null) {
            return Ranking.By.VOLUME;
        }
        return Arrays.stream(Ranking.By.values())
                .filter(by -> by.label().equals(text))
                .findFirst()
                .orElseThrow(() -> bad(
                        "by",
                        Arrays.stream(Ranking.By.values())
                                .map(Ranking.By::label)
                                .collect(joining(", ", "must be one of ", "."))));
    }

    static ProblemException bad(String name, String rule) {
        return new ProblemException(Problem.badParameter(name, rule));
    }
}
