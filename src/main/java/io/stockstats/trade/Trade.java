package io.stockstats.trade;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One trade that passed every check.
 *
 * @param ticker what was traded
 * @param price the price, within [{@value #SMALLEST}, {@value #LARGEST}]
 * @param size the traded amount: 0, or within [{@value #SMALLEST}, {@value #LARGEST}]
 * @param type the feed's word for the kind of trade ({@code ASK}, {@code BID}, …), at most
 *     {@value #MAX_TYPE_CODE_POINTS} code points; null when it gave none
 * @param eventNanos event time, in nanoseconds since the epoch
 */
public record Trade(
        Ticker ticker, double price, double size, @Nullable String type, long eventNanos) implements Decoded {

    /** The smallest price, and the smallest size that is not 0. */
    public static final double SMALLEST = 1e-18;

    /** The largest price and size. */
    public static final double LARGEST = 1e18;

    /** The largest number of code points in a type. */
    public static final int MAX_TYPE_CODE_POINTS = 32;

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Event time in milliseconds since the epoch, rounded down. */
    public long eventMillis() {
        return Math.floorDiv(eventNanos, NANOS_PER_MILLI);
    }

    @Override
    public <T> T fold(
            Function<? super Trade, ? extends T> trade,
            Function<? super Rejection, ? extends T> rejection,
            Function<? super Skipped, ? extends T> skipped) {
        return trade.apply(this);
    }
}
