package io.stockstats.topology;

import io.quarkus.runtime.configuration.MemorySize;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import io.stockstats.wire.TrueOrFalse;
import java.time.Duration;
import java.util.Optional;

/** What is written to the output topic and when, and where state is kept. */
@ConfigMapping(prefix = "stockstats")
public interface StatsConfig {

    /** What the output topic gets. */
    @WithDefault("updates")
    Emit emit();

    /** The least time between two updates of one window on the output topic. */
    @WithDefault("PT0.2S")
    Duration emitInterval();

    /** Where panes are kept. */
    @WithDefault("rocksdb")
    Store store();

    /**
     * How much memory all of this instance's stores on disk take together, beside the heap: what was read, and what is not
     * yet written to files. 8 MiB to 1 TiB.
     */
    @WithDefault("128M")
    MemorySize storeMemory();

    /**
     * Whether this instance reads trades. One that does not joins no group and keeps no state: it only generates trades,
     * where that is asked for.
     */
    @WithName("stream.enabled")
    @WithDefault("true")
    @WithConverter(TrueOrFalse.class)
    boolean streamEnabled();

    /** The processing guarantee. */
    @WithDefault("at-least-once")
    Processing processing();

    /**
     * Whether an instance that is stopped leaves its group, so that others take over at once, or is waited for, so that
     * it finds its partitions again. Absent: it is waited for when it has a {@code stockstats.instance.name}.
     */
    Optional<LeaveOnStop> leaveOnStop();

    /** What the output topic gets. */
    enum Emit {
        /** Each window whenever it changed, and once more when it becomes final. */
        UPDATES,
        /** Each window once, when it becomes final. */
        FINAL
    }

    /** Where panes are kept; their changelog is the same for both. */
    enum Store {
        /** On disk, in {@code kafka-streams.state.dir}: a restart restores only what is missing. */
        ROCKSDB,
        /** On the heap: every start restores everything from the changelog. */
        IN_MEMORY
    }

    /** What a crash may do to the results. */
    enum Processing {
        /** Nothing is lost, and a crash may count a trade twice. */
        AT_LEAST_ONCE,
        /** Each trade counts once: Kafka Streams' {@code exactly_once_v2}. */
        EXACTLY_ONCE
    }

    /** What an instance that is stopped tells its group. */
    enum LeaveOnStop {
        /** That it leaves. */
        ALWAYS,
        /** Nothing: when it is not back within the session timeout others take over. */
        NEVER
    }
}
