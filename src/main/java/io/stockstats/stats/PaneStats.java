package io.stockstats.stats;

import io.stockstats.trade.Trade;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of at least one trade of one ticker: of a pane, and equally of a window, which is its panes merged.
 *
 * <p>{@link #merge} is associative and commutative, exactly for counts, extremes, first and last trade and type, and
 * within 1e-12 relative for sums; so any split of trades into panes, merged in any order, tells the same.
 *
 * @param count the number of trades, at least 1
 * @param sum the sum of their prices
 * @param min the lowest price
 * @param max the highest price
 * @param volume the sum of their sizes
 * @param turnover the sum of price times size
 * @param first the earliest trade
 * @param last the latest trade
 * @param type the type that all trades agree on, null when they agree on having none or do not agree
 * @param mixedTypes whether they do not agree
 */
public record PaneStats(
        long count,
        CompensatedSum sum,
        double min,
        double max,
        CompensatedSum volume,
        CompensatedSum turnover,
        Tick first,
        Tick last,
        @Nullable String type,
        boolean mixedTypes) {

    /**
     * A trade's place in time, and its price. Equal event times are ordered by arrival.
     *
     * @param price the price
     * @param eventNanos event time, in nanoseconds since the epoch
     * @param arrival the record's offset in the partition that panes are kept by
     */
    public record Tick(double price, long eventNanos, long arrival) {
        private static final long NANOS_PER_MILLI = 1_000_000;

        /** Event time in milliseconds since the epoch, rounded down. */
        public long eventMillis() {
            return Math.floorDiv(eventNanos, NANOS_PER_MILLI);
        }

        /** Event time, to the nanosecond. */
        public Instant eventTime() {
            return Instant.ofEpochSecond(0, eventNanos);
        }

        boolean isBefore(Tick other) {
            return eventNanos != other.eventNanos ? eventNanos < other.eventNanos : arrival < other.arrival;
        }
    }

    /** The statistics of a single trade that arrived at {@code arrival}. */
    public static PaneStats of(Trade trade, long arrival) {
        Tick tick = new Tick(trade.price(), trade.eventNanos(), arrival);
        return new PaneStats(
                1,
                CompensatedSum.of(trade.price()),
                trade.price(),
                trade.price(),
                CompensatedSum.of(trade.size()),
                CompensatedSum.product(trade.price(), trade.size()),
                tick,
                tick,
                trade.type(),
                false);
    }

    /** These trades and one more, which arrived at {@code arrival}. */
    public PaneStats plus(Trade trade, long arrival) {
        Tick tick = new Tick(trade.price(), trade.eventNanos(), arrival);
        boolean mixed = mixedTypes || !Objects.equals(type, trade.type());
        return new PaneStats(
                count + 1,
                sum.plus(trade.price()),
                Math.min(min, trade.price()),
                Math.max(max, trade.price()),
                volume.plus(trade.size()),
                turnover.plus(CompensatedSum.product(trade.price(), trade.size())),
                tick.isBefore(first) ? tick : first,
                tick.isBefore(last) ? last : tick,
                mixed ? null : type,
                mixed);
    }

    /** These trades and those of {@code other}; the two must have no trade in common. */
    public PaneStats merge(PaneStats other) {
        boolean mixed = mixedTypes || other.mixedTypes || !Objects.equals(type, other.type);
        return new PaneStats(
                count + other.count,
                sum.plus(other.sum),
                Math.min(min, other.min),
                Math.max(max, other.max),
                volume.plus(other.volume),
                turnover.plus(other.turnover),
                other.first.isBefore(first) ? other.first : first,
                // Of equals the one that is added: trades of one record share its offset, and come in their order.
                other.last.isBefore(last) ? last : other.last,
                mixed ? null : type,
                mixed);
    }

    /** The mean price, within [{@link #min}, {@link #max}] whatever rounding says. */
    public double average() {
        return withinPrices(sum.hi() / count);
    }

    /** Whether any trade had a size; without, there is no {@link #vwap}. */
    public boolean hasVolume() {
        return volume.hi() > 0;
    }

    /**
     * The volume-weighted average price, turnover divided by volume, within [{@link #min}, {@link #max}].
     *
     * @throws IllegalStateException if there is no volume
     */
    public double vwap() {
        if (!hasVolume()) {
            throw new IllegalStateException("no volume to weigh prices by");
        }
        return withinPrices(turnover.hi() / volume.hi());
    }

    private double withinPrices(double price) {
        return Math.max(min, Math.min(max, price));
    }
}
