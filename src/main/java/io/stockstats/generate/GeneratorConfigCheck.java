package io.stockstats.generate;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.stockstats.trade.Ticker;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Refuses a configuration that is out of bounds, with one message that names the property. */
final class GeneratorConfigCheck {

    static final double LARGEST_RATE = 1_000_000;
    static final double SMALLEST_PRICE = 0.01;
    // In hundredths this is far inside both long and double's exact integers, and far inside what a trade may cost.
    static final double LARGEST_PRICE = 1e12;
    static final long LARGEST_SIZE = 1_000_000_000_000L;
    static final Duration LONGEST_LATE_BY = Duration.ofDays(3650);

    private GeneratorConfigCheck() {}

    /** @throws ConfigurationException for the first value that is out of its bounds */
    static void check(GeneratorConfig config) {
        require(
                config.rate() > 0 && config.rate() <= LARGEST_RATE,
                "rate",
                config.rate(),
                "must be above 0 and at most 1000000 trades per second");
        checkTickers(config.tickers());
        require(
                config.startPrice() >= SMALLEST_PRICE
                        && config.startPrice() <= LARGEST_PRICE
                        && hasCentsOnly(config.startPrice()),
                "start-price",
                config.startPrice(),
                "must be from 0.01 to 1000000000000, with at most two decimals");
        require(
                config.step() >= 0 && config.step() <= LARGEST_PRICE && hasCentsOnly(config.step()),
                "step",
                config.step(),
                "must be from 0 to 1000000000000, with at most two decimals");
        require(
                config.maxSize() >= 0 && config.maxSize() <= LARGEST_SIZE,
                "max-size",
                config.maxSize(),
                "must be from 0 to 1000000000000");
        requireShare("late-share", config.lateShare());
        require(
                config.lateBy().compareTo(Duration.ZERO) > 0 && config.lateBy().compareTo(LONGEST_LATE_BY) <= 0,
                "late-by",
                config.lateBy(),
                "must be above PT0S and at most 3650 days");
        requireShare("bad-share", config.badShare());
    }

    private static void checkTickers(List<String> tickers) {
        require(!tickers.isEmpty(), "tickers", tickers, "must name at least one ticker");
        Set<String> seen = new HashSet<>();
        for (String ticker : tickers) {
            String fault = Ticker.faultIn(ticker);
            require(fault.isEmpty(), "tickers", ticker, "is not a ticker: it " + fault);
            require(seen.add(ticker), "tickers", ticker, "is named twice");
        }
    }

    private static void requireShare(String name, double share) {
        require(share >= 0 && share <= 1, name, share, "must be from 0 to 1");
    }

    private static boolean hasCentsOnly(double amount) {
        return BigDecimal.valueOf(amount).stripTrailingZeros().scale() <= 2;
    }

    private static void require(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            String property = "stockstats.generator." + name;
            throw new ConfigurationException(property + ": " + value + " " + rule, Set.of(property));
        }
    }
}
