package io.stockstats.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.ExactStats.Input;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class PaneStatsPropertyTest {

    private static final Ticker TICKER = new Ticker("MMM");

    @Property
    void anySplitIntoPanesMergedInAnyOrderTellsTheSame(@ForAll("trades") List<Input> trades, @ForAll Random random) {
        // Given
        List<PaneStats> parts = split(trades, random);

        // When
        while (parts.size() > 1) {
            PaneStats one = parts.remove(random.nextInt(parts.size()));
            PaneStats other = parts.remove(random.nextInt(parts.size()));
            parts.add(one.merge(other));
        }

        // Then
        ExactStats.assertTells(trades, parts.get(0), "panes");
    }

    @Property
    void tradesAddedOneByOneInAnyOrderTellTheSame(@ForAll("trades") List<Input> trades, @ForAll Random random) {
        // Given
        List<Input> shuffled = new ArrayList<>(trades);
        Collections.shuffle(shuffled, random);

        // When
        PaneStats all = added(shuffled);

        // Then
        ExactStats.assertTells(trades, all, "one by one");
    }

    @Property
    void mergeIsCommutative(@ForAll("trades") List<Input> trades, @ForAll Random random) {
        // Given
        List<PaneStats> parts = split(trades, random);
        Assume.that(parts.size() > 1);
        PaneStats a = parts.get(0);
        PaneStats b = parts.get(1);

        // When
        PaneStats ab = a.merge(b);
        PaneStats ba = b.merge(a);

        // Then
        assertEquals(ab, ba);
    }

    @Property
    void mergeIsAssociative(@ForAll("trades") List<Input> trades, @ForAll Random random) {
        // Given
        List<PaneStats> parts = split(trades, random);
        Assume.that(parts.size() > 2);
        PaneStats a = parts.get(0);
        PaneStats b = parts.get(1);
        PaneStats c = parts.get(2);

        // When
        PaneStats left = a.merge(b).merge(c);
        PaneStats right = a.merge(b.merge(c));

        // Then
        assertEquals(exactPart(left), exactPart(right));
        ExactStats.assertClose(new BigDecimal(left.sum().hi()), right.sum().hi(), "sum");
        ExactStats.assertClose(
                new BigDecimal(left.volume().hi()), right.volume().hi(), "volume");
        ExactStats.assertClose(
                new BigDecimal(left.turnover().hi()), right.turnover().hi(), "turnover");
    }

    @Property
    void compensatedSumsKeepWhatDoublesLose(@ForAll("decimals") List<BigDecimal> parts) {
        // Given
        BigDecimal exact =
                parts.stream().map(part -> new BigDecimal(part.doubleValue())).reduce(BigDecimal.ZERO, BigDecimal::add);

        // When
        CompensatedSum sum = CompensatedSum.ZERO;
        for (BigDecimal part : parts) {
            sum = sum.plus(part.doubleValue());
        }

        // Then
        BigDecimal held = new BigDecimal(sum.hi()).add(new BigDecimal(sum.lo()));
        BigDecimal off = held.subtract(exact).abs();
        assertTrue(
                off.compareTo(exact.multiply(new BigDecimal("1e-30"))) <= 0,
                () -> held + " instead of exactly " + exact);
    }

    @Example
    void aDayOfTradesDoesNotDriftAsPlainDoublesDo() {
        // Given: many small trades upon one large, which a plain double swallows
        PaneStats stats = PaneStats.of(trade("1e15", "1e15", 0), 0);
        int small = 200_000;

        // When
        for (int i = 1; i <= small; i++) {
            stats = stats.plus(trade("0.01", "0.01", i), i);
        }

        // Then
        BigDecimal exact = new BigDecimal("1e15").add(new BigDecimal("0.01").multiply(BigDecimal.valueOf(small)));
        BigDecimal held =
                new BigDecimal(stats.sum().hi()).add(new BigDecimal(stats.sum().lo()));
        assertTrue(held.subtract(exact).abs().compareTo(new BigDecimal("1e-10")) < 0, () -> held + " is not " + exact);
        assertEquals(exact.doubleValue(), stats.sum().hi());
        assertEquals(exact.doubleValue(), stats.volume().hi());
    }

    @Example
    void equalTimesFallToArrivalOrder() {
        // Given
        Trade first = trade("1", "1", 5);
        Trade second = trade("2", "1", 5);

        // When
        PaneStats inOrder = PaneStats.of(first, 10).plus(second, 11);
        PaneStats merged = PaneStats.of(second, 11).merge(PaneStats.of(first, 10));

        // Then
        assertEquals(inOrder, merged);
        assertEquals(1, merged.first().price());
        assertEquals(2, merged.last().price());
    }

    @Example
    void tradesOfOneRecordAndOneTimeKeepTheirOrder() {
        // Given: a batch, whose trades all have the record's offset
        Trade first = trade("1", "1", 5);
        Trade second = trade("2", "1", 5);
        Trade third = trade("3", "1", 5);

        // When
        PaneStats stats = PaneStats.of(first, 10).plus(second, 10).plus(third, 10);

        // Then
        assertEquals(1, stats.first().price());
        assertEquals(3, stats.last().price());
    }

    @Example
    void noVolumeHasNoVwap() {
        // Given
        PaneStats stats = PaneStats.of(trade("5", "0", 1), 1).plus(trade("7", "0", 2), 2);

        // When
        IllegalStateException refused = assertThrows(IllegalStateException.class, stats::vwap);

        // Then
        assertEquals("no volume to weigh prices by", refused.getMessage());
        assertEquals(6, stats.average());
    }

    @Example
    void theSmallestVolumeHasAVwap() {
        // Given
        PaneStats stats = PaneStats.of(trade("1e-18", "1e-18", 1), 1);

        // When
        double vwap = stats.vwap();

        // Then
        assertEquals(1e-18, vwap);
        ExactStats.assertClose(new BigDecimal("1e-36"), stats.turnover().hi(), "turnover");
    }

    @Provide
    Arbitrary<List<Input>> trades() {
        Arbitrary<String> types = Arbitraries.frequency(Tuple.of(12, "ASK"), Tuple.of(1, "BID"), Tuple.of(1, ""));
        return Combinators.combine(
                        decimal(),
                        Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.just(BigDecimal.ZERO)), Tuple.of(4, decimal())),
                        types,
                        // Few different times, so that equal ones are frequent.
                        Arbitraries.longs().between(1_700_000_000_000_000_000L, 1_700_000_000_000_000_020L))
                .as((price, size, type, nanos) -> new Input(price, size, type.isEmpty() ? null : type, nanos, 0))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60)
                .map(PaneStatsPropertyTest::numbered);
    }

    @Provide
    Arbitrary<List<BigDecimal>> decimals() {
        return decimal().list().ofMinSize(1).ofMaxSize(200);
    }

    /** Decimals of 1 to 19 digits over the whole range of prices, magnitudes mixed. */
    private static Arbitrary<BigDecimal> decimal() {
        return Combinators.combine(
                        Arbitraries.bigIntegers().between(BigInteger.ONE, BigInteger.TEN.pow(18)),
                        Arbitraries.integers().between(-18, 18))
                .as((digits, exponent) -> {
                    BigDecimal unit = new BigDecimal(digits, digits.toString().length() - 1);
                    BigDecimal value = unit.scaleByPowerOfTen(exponent);
                    return value.min(new BigDecimal("1e18"));
                });
    }

    private static List<Input> numbered(List<Input> trades) {
        List<Input> numbered = new ArrayList<>();
        for (Input trade : trades) {
            numbered.add(new Input(trade.price(), trade.size(), trade.type(), trade.eventNanos(), numbered.size()));
        }
        return numbered;
    }

    private static List<PaneStats> split(List<Input> trades, Random random) {
        List<Input> shuffled = new ArrayList<>(trades);
        Collections.shuffle(shuffled, random);
        List<PaneStats> parts = new ArrayList<>();
        for (int from = 0; from < shuffled.size(); ) {
            int to = Math.min(shuffled.size(), from + 1 + random.nextInt(8));
            parts.add(added(shuffled.subList(from, to)));
            from = to;
        }
        return parts;
    }

    private static PaneStats added(List<Input> trades) {
        PaneStats stats = PaneStats.of(trade(trades.get(0)), trades.get(0).arrival());
        for (Input input : trades.subList(1, trades.size())) {
            stats = stats.plus(trade(input), input.arrival());
        }
        return stats;
    }

    private static Trade trade(Input input) {
        return new Trade(
                TICKER, input.price().doubleValue(), input.size().doubleValue(), input.type(), input.eventNanos());
    }

    private static Trade trade(String price, String size, long nanos) {
        return trade(new Input(new BigDecimal(price), new BigDecimal(size), null, nanos, 0));
    }

    private static List<Object> exactPart(PaneStats stats) {
        return List.of(
                stats.count(),
                stats.min(),
                stats.max(),
                stats.first(),
                stats.last(),
                String.valueOf(stats.type()),
                stats.mixedTypes());
    }
}
