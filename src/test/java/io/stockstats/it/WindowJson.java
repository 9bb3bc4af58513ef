package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A window's statistics with the fields that the contract names, and no other. */
record WindowJson(
        @JsonProperty(required = true) String ticker,
        @JsonProperty(required = true) @Nullable String type,
        @JsonProperty(required = true) long windowStart,
        @JsonProperty(required = true) long windowEnd,
        @JsonProperty(value = "final", required = true) boolean isFinal,
        @JsonProperty(required = true) long countTrades,
        @JsonProperty(required = true) double sumPrice,
        @JsonProperty(required = true) double minPrice,
        @JsonProperty(required = true) double maxPrice,
        @JsonProperty(required = true) double avgPrice,
        @JsonProperty(required = true) double openPrice,
        @JsonProperty(required = true) double closePrice,
        @JsonProperty(required = true) double volume,
        @JsonProperty(required = true) double turnover,
        @JsonProperty(required = true) @Nullable Double vwap,
        @JsonProperty(required = true) String firstTradeAt,
        @JsonProperty(required = true) String lastTradeAt) {

    /** What the contract says of these trades, at least one, in their order of arrival. */
    static WindowJson of(List<Sale> sales, long start, long size, boolean isFinal) {
        Sale any = sales.get(0);
        boolean oneType = sales.stream().map(Sale::type).distinct().count() == 1;
        BigDecimal sum = sales.stream().map(Sale::price).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal volume =
                BigDecimal.valueOf(sales.stream().mapToLong(Sale::size).sum());
        BigDecimal turnover = sales.stream()
                .map(sale -> sale.price().multiply(BigDecimal.valueOf(sale.size())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        // Of several at one time the first to come opens, and the last to come closes.
        Sale first = sales.stream().reduce((a, b) -> b.at() < a.at() ? b : a).orElseThrow();
        Sale last = sales.stream().reduce((a, b) -> b.at() >= a.at() ? b : a).orElseThrow();
        return new WindowJson(
                any.ticker(),
                oneType ? any.type() : null,
                start,
                start + size,
                isFinal,
                sales.size(),
                sum.doubleValue(),
                price(sales.stream().min(Comparator.comparing(Sale::price)).orElseThrow()),
                price(sales.stream().max(Comparator.comparing(Sale::price)).orElseThrow()),
                sum.divide(BigDecimal.valueOf(sales.size()), MathContext.DECIMAL128)
                        .doubleValue(),
                price(first),
                price(last),
                volume.doubleValue(),
                turnover.doubleValue(),
                volume.signum() == 0
                        ? null
                        : turnover.divide(volume, MathContext.DECIMAL128).doubleValue(),
                Instant.ofEpochMilli(first.at()).toString(),
                Instant.ofEpochMilli(last.at()).toString());
    }

    private static double price(Sale sale) {
        return sale.price().doubleValue();
    }

    /** Which window it is. */
    String id() {
        return ticker + "@" + windowStart;
    }

    /** That this is final, and {@code oracle} but for trades that count twice, which change sums and counts only. */
    void assertAtLeast(WindowJson oracle) {
        assertTrue(isFinal, this::toString);
        assertTrue(countTrades >= oracle.countTrades, () -> this + " is short of " + oracle);
        assertTrue(sumPrice >= oracle.sumPrice, () -> this + " is short of " + oracle);
        assertTrue(volume >= oracle.volume, () -> this + " is short of " + oracle);
        assertTrue(turnover >= oracle.turnover, () -> this + " is short of " + oracle);
        assertEquals(oracle.type, type);
        assertEquals(oracle.minPrice, minPrice);
        assertEquals(oracle.maxPrice, maxPrice);
        assertEquals(oracle.openPrice, openPrice);
        assertEquals(oracle.closePrice, closePrice);
        assertEquals(oracle.firstTradeAt, firstTradeAt);
        assertEquals(oracle.lastTradeAt, lastTradeAt);
    }
}
