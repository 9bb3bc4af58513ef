package io.stockstats.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What statistics must be, computed from the decimals as they stand in the input, without rounding. */
public final class ExactStats {

    /** The promise for sums and what is derived from them: so far from the exact value, relative to it. */
    public static final BigDecimal TOLERANCE = new BigDecimal("1e-12");

    private ExactStats() {}

    /**
     * One trade as it was fed in.
     *
     * @param arrival its place in the partition, different for every trade
     */
    public record Input(
            BigDecimal price, BigDecimal size, @Nullable String type, long eventNanos, long arrival) {}

    /** Fails unless {@code actual} tells of these trades, at least one, what exact arithmetic tells. */
    public static void assertTells(List<Input> trades, PaneStats actual, String what) {
        assertEquals(trades.size(), actual.count(), () -> what + ": count");
        assertEquals(extreme(trades, Comparator.naturalOrder()), actual.min(), () -> what + ": min");
        assertEquals(extreme(trades, Comparator.reverseOrder()), actual.max(), () -> what + ": max");
        Comparator<Input> byTime = Comparator.comparingLong(Input::eventNanos).thenComparingLong(Input::arrival);
        assertEquals(tick(trades.stream().min(byTime).orElseThrow()), actual.first(), () -> what + ": first");
        assertEquals(tick(trades.stream().max(byTime).orElseThrow()), actual.last(), () -> what + ": last");
        boolean agree = trades.stream()
                .allMatch(t -> Objects.equals(t.type(), trades.get(0).type()));
        assertEquals(agree ? trades.get(0).type() : null, actual.type(), () -> what + ": type");
        assertEquals(!agree, actual.mixedTypes(), () -> what + ": mixedTypes");

        BigDecimal sum = total(trades.stream().map(Input::price).toList());
        BigDecimal volume = total(trades.stream().map(Input::size).toList());
        BigDecimal turnover =
                total(trades.stream().map(t -> t.price().multiply(t.size())).toList());
        assertClose(sum, actual.sum().hi(), what + ": sum");
        assertClose(volume, actual.volume().hi(), what + ": volume");
        assertClose(turnover, actual.turnover().hi(), what + ": turnover");
        assertClose(
                sum.divide(BigDecimal.valueOf(trades.size()), MathContext.DECIMAL128),
                actual.average(),
                what + ": average");
        assertWithinPrices(actual, actual.average(), what + ": average");
        assertEquals(volume.signum() > 0, actual.hasVolume(), () -> what + ": hasVolume");
        if (actual.hasVolume()) {
            assertClose(turnover.divide(volume, MathContext.DECIMAL128), actual.vwap(), what + ": vwap");
            assertWithinPrices(actual, actual.vwap(), what + ": vwap");
        }
    }

    /** Fails unless {@code actual} lies within {@link #TOLERANCE} of {@code exact}, relative to it. */
    public static void assertClose(BigDecimal exact, double actual, String what) {
        assertFalse(Double.isNaN(actual) || Double.isInfinite(actual), () -> what + " is " + actual);
        BigDecimal off = new BigDecimal(actual).subtract(exact).abs();
        assertTrue(
                off.compareTo(exact.abs().multiply(TOLERANCE)) <= 0,
                () -> what + " is " + actual + ", exactly " + exact.toEngineeringString());
    }

    private static void assertWithinPrices(PaneStats stats, double price, String what) {
        assertTrue(
                stats.min() <= price && price <= stats.max(),
                () -> what + " is " + price + ", outside [" + stats.min() + ", " + stats.max() + "]");
    }

    private static double extreme(List<Input> trades, Comparator<BigDecimal> order) {
        return trades.stream().map(Input::price).min(order).orElseThrow().doubleValue();
    }

    private static PaneStats.Tick tick(Input trade) {
        return new PaneStats.Tick(trade.price().doubleValue(), trade.eventNanos(), trade.arrival());
    }

    private static BigDecimal total(List<BigDecimal> parts) {
        return parts.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
