package io.stockstats.topology;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.stockstats.stats.WindowRules;
import java.time.Duration;
import java.util.Optional;

/** Windows: how long, how far apart, how patient, and how long remembered. All in whole milliseconds. */
@ConfigMapping(prefix = "stockstats.window")
public interface WindowConfig {

    /** A window's length, a multiple of the advance. */
    @WithDefault("PT5S")
    Duration size();

    /** The distance of two windows' starts. State is kept by this width: it cannot change while state is kept. */
    @WithDefault("PT1S")
    Duration advance();

    /** How long after its end, in stream time, a window still takes trades. */
    @WithDefault("PT30S")
    Duration grace();

    /** How long after its end, in stream time, a window can be asked for; also the largest window to ask for. */
    @WithDefault("PT15M")
    Duration retention();

    /**
     * How long, by the wall clock, a partition must be silent until its open windows are closed. Absent: never. Trades
     * that come for a closed window are late, so this must be longer than any outage of producers or broker.
     */
    Optional<Duration> idle();

    /** The same as arithmetic takes it. */
    default WindowRules rules() {
        return new WindowRules(
                size().toMillis(),
                advance().toMillis(),
                grace().toMillis(),
                retention().toMillis());
    }
}
