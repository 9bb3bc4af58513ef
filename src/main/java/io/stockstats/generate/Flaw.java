package io.stockstats.generate;

import io.stockstats.trade.Rejection.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;

/** What can be wrong with a record so that it is not a trade, and how to make a trade so. */
enum Flaw {
    EMPTY_VALUE(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), "")),
    TOMBSTONE(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), (String) null)),
    NULL_LITERAL(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), "null")),
    ARRAY(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), "[" + trade.json() + "]")),
    TRUNCATED(Reason.MALFORMED, trade -> {
        String json = trade.json();
        return GeneratedTrade.of(trade.symbol(), json.substring(0, json.length() / 2));
    }),
    TRAILING_CONTENT(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), trade.json() + "{}")),
    INVALID_UTF8(Reason.MALFORMED, trade -> GeneratedTrade.of(trade.symbol(), withInvalidByte(trade))),
    NO_TICKER(Reason.MISSING_TICKER, trade -> trade.withTicker(null).keyedBy(null)),
    TICKER_WITH_SPACE(Reason.INVALID_TICKER, trade -> {
        String symbol = trade.symbol() + " X";
        return trade.withTicker(Draft.quoted(symbol)).keyedBy(symbol);
    }),
    /** A trade where {@code stockstats.trades.rekey} is set. */
    WRONG_KEY(Reason.KEY_MISMATCH, trade -> trade.keyedBy(trade.symbol().equals("OTHER") ? "ANOTHER" : "OTHER")),
    /** A trade where {@code stockstats.trades.rekey} is set. */
    NO_KEY(Reason.KEY_MISMATCH, trade -> trade.keyedBy(null)),
    NO_PRICE(Reason.INVALID_PRICE, trade -> trade.withPrice(null).record()),
    PRICE_IS_NULL(Reason.INVALID_PRICE, trade -> trade.withPrice("null").record()),
    ZERO_PRICE(Reason.INVALID_PRICE, trade -> trade.withPrice("0.00").record()),
    NEGATIVE_PRICE(
            Reason.INVALID_PRICE, trade -> trade.withPrice("-" + trade.price()).record()),
    HUGE_PRICE(Reason.INVALID_PRICE, trade -> trade.withPrice("1e400").record()),
    PRICE_IS_TEXT(Reason.INVALID_PRICE, trade -> trade.withPrice("\"NaN\"").record()),
    NEGATIVE_SIZE(Reason.INVALID_SIZE, trade -> trade.withSize("-1").record()),
    SIZE_IS_TEXT(Reason.INVALID_SIZE, trade -> trade.withSize("\"many\"").record()),
    TIMESTAMP_IS_TEXT(
            Reason.INVALID_TIMESTAMP, trade -> trade.withTimestamp("\"today\"").record()),
    TIMESTAMP_TOO_EARLY(
            Reason.INVALID_TIMESTAMP,
            trade -> trade.withTimestamp("\"1900-01-01T00:00:00Z\"").record()),
    TIMESTAMP_IN_FUTURE(
            Reason.FUTURE_TIMESTAMP,
            trade -> trade.withTimestamp(Draft.quoted(trade.eventTime().plus(Duration.ofDays(365))))
                    .record());

    private static final byte NEVER_IN_UTF8 = (byte) 0xFF;

    private final Reason reason;
    // The functions above hold no state.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Function<Draft, GeneratedTrade> spoil;

    Flaw(Reason reason, Function<Draft, GeneratedTrade> spoil) {
        this.reason = reason;
        this.spoil = spoil;
    }

    /** Why a decoder with default settings rejects such a record. */
    Reason reason() {
        return reason;
    }

    /** {@code trade} with this flaw. */
    GeneratedTrade in(Draft trade) {
        return spoil.apply(trade);
    }

    private static byte[] withInvalidByte(Draft trade) {
        byte[] json = trade.json().getBytes(StandardCharsets.UTF_8);
        byte[] invalid = Arrays.copyOf(json, json.length);
        // The second byte of the first field's value, so that only the encoding is wrong.
        invalid["{\"type\":\"A".length()] = NEVER_IN_UTF8;
        return invalid;
    }
}
