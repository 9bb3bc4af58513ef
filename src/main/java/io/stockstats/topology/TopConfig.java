package io.stockstats.topology;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.stockstats.stats.Ranking;
import java.time.Duration;

/** Top lists as a stream: of each window the tickers with the highest or lowest figure, over all partitions. */
@ConfigMapping(prefix = "stockstats.top")
public interface TopConfig {

    /** Whether lists are written to the topic. */
    @WithDefault("false")
    boolean enabled();

    /** The figure that tickers are ordered by, as in {@code GET /top}. */
    @WithDefault("minPrice")
    Ranking.By by();

    /** Whether the lowest or the highest figure comes first. */
    @WithDefault("asc")
    Order order();

    /** How many tickers a list has at most, 1 to 100. */
    @WithDefault("3")
    int n();

    /** How long each window is, a multiple of the advance up to the retention. The next begins where one ends. */
    @WithDefault("PT10S")
    Duration window();

    /** Which comes first. */
    enum Order {
        /** The lowest. */
        ASC,
        /** The highest. */
        DESC
    }
}
