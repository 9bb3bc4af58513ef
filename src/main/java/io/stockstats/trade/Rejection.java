package io.stockstats.trade;

import java.util.Locale;
import java.util.function.Function;

/**
 * A record that is not a trade.
 *
 * @param reason the first check that failed
 * @param detail what was wrong, for the person who reads the rejected topic; at most a few hundred characters
 */
public record Rejection(Reason reason, String detail) implements Decoded {

    /** The checks, in the order in which they run. */
    public enum Reason {
        /** The value is not one JSON object of at most 1 MiB in valid UTF-8. */
        MALFORMED,
        /** There is a ticker neither in the value nor in the key. */
        MISSING_TICKER,
        /** The ticker breaks the rule of {@link Ticker}. */
        INVALID_TICKER,
        /** The record's key is not its ticker, so its partition may not be the ticker's. */
        KEY_MISMATCH,
        /** The price is absent, not a number, or out of range. */
        INVALID_PRICE,
        /** The size is not a number or out of range. */
        INVALID_SIZE,
        /** The time cannot be read, or lies before the earliest that is believed. */
        INVALID_TIMESTAMP,
        /** The time is further ahead of the wall clock than clocks are believed to differ. */
        FUTURE_TIMESTAMP;

        private final String label = name().toLowerCase(Locale.ROOT);

        /** The reason as headers and metrics name it, such as {@code key_mismatch}. */
        public String label() {
            return label;
        }
    }

    @Override
    public <T> T fold(
            Function<? super Trade, ? extends T> trade,
            Function<? super Rejection, ? extends T> rejection,
            Function<? super Skipped, ? extends T> skipped) {
        return rejection.apply(this);
    }
}
