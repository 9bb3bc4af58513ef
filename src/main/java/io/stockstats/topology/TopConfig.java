package io.stockstats.topology;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.wire.TrueOrFalse;
import java.time.Duration;
import java.util.Arrays;

/** Top lists as a stream. All instances must have the same; to change any, stop all of them first. */
@ConfigMapping(prefix = "stockstats.top")
public interface TopConfig {

    /** Whether top lists are written. It changes the topology: stop all instances before it is switched. */
    @WithDefault("false")
    @WithConverter(TrueOrFalse.class)
    boolean enabled();

    /** The figure: one that {@code GET /top} knows. */
    @WithDefault("minPrice")
    String by();

    /** {@code asc}: the lowest comes first; {@code desc}: the highest. */
    @WithDefault("asc")
    String order();

    /** How many tickers a list has at most, 1 to 100. */
    @WithDefault("3")
    int n();

    /** A window's length: a multiple of the advance, at most the retention. One begins where the one before ends. */
    @WithDefault("PT10S")
    Duration window();

    /**
     * The same as arithmetic takes it.
     *
     * @throws java.util.NoSuchElementException if there is no such figure, which {@link ConfigCheck} finds first
     */
    default TopRule rule() {
        Ranking.By figure = Arrays.stream(Ranking.By.values())
                .filter(each -> each.label().equals(by()))
                .findFirst()
                .orElseThrow();
        return new TopRule(new Ranking(figure, order().equals("desc")), n(), window().toMillis());
    }
}
