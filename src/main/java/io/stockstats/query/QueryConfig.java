package io.stockstats.query;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** How long a query may take, and how old its answer may be. */
@ConfigMapping(prefix = "stockstats.query")
public interface QueryConfig {

    /** The longest that a query waits for other instances, all of them together: 10 ms to 1 min. */
    @WithDefault("PT2S")
    Duration timeout();

    /**
     * How many changelog records a copy may be behind that answers for an instance that is away; a copy of which that is
     * not known does not answer then, either. Absent: any number.
     */
    Optional<Long> maxLag();
}
