package io.stockstats.topology;

import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowRules;
import io.stockstats.wire.TradesConfig;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings as they are by default, but for what a test changes. */
final class SettingsBuilder {

    private WindowRules rules = new WindowRules(5_000, 1_000, 30_000, 900_000);
    private @Nullable Duration idle;
    private StatsConfig.Emit emit = StatsConfig.Emit.UPDATES;
    private Duration emitInterval = Duration.ofMillis(200);
    private StatsConfig.Store store = StatsConfig.Store.IN_MEMORY;
    private boolean rekey;
    private @Nullable TopRule top;

    SettingsBuilder rules(WindowRules changed) {
        rules = changed;
        return this;
    }

    SettingsBuilder idle(Duration changed) {
        idle = changed;
        return this;
    }

    SettingsBuilder emit(StatsConfig.Emit changed) {
        emit = changed;
        return this;
    }

    SettingsBuilder emitInterval(Duration changed) {
        emitInterval = changed;
        return this;
    }

    SettingsBuilder store(StatsConfig.Store changed) {
        store = changed;
        return this;
    }

    SettingsBuilder rekey() {
        rekey = true;
        return this;
    }

    /** Writes top lists, to {@code stockstats-top}. */
    SettingsBuilder top(TopRule rule) {
        top = rule;
        return this;
    }

    TopologySettings build() {
        return new TopologySettings(
                "stocks",
                "stockstats-output",
                "stocks-rejected",
                rules,
                Optional.ofNullable(idle),
                emit,
                emitInterval,
                store,
                TradesConfig.Start.EARLIEST,
                rekey,
                Optional.ofNullable(top).map(rule -> new TopSettings("stockstats-top", rule)));
    }
}
