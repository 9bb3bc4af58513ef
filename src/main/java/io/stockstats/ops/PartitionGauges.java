package io.stockstats.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.stockstats.store.RestoreProgress;
import io.stockstats.store.TradesLag;
import java.util.Map;

/** Gauges by partition, of the partitions that this instance reads or restores. */
final class PartitionGauges {

    private final TradesLag trades;
    private final RestoreProgress restore;
    private final MultiGauge lag;
    private final MultiGauge remaining;

    PartitionGauges(TradesLag trades, RestoreProgress restore, MeterRegistry registry) {
        this.trades = trades;
        this.restore = restore;
        this.lag = MultiGauge.builder("stockstats.partition.lag")
                .description("Trades of the partition that are not yet read")
                .register(registry);
        this.remaining = MultiGauge.builder("stockstats.restore.remaining.records")
                .description("Changelog records of the partition that are not yet restored")
                .register(registry);
    }

    void refresh() {
        lag.register(rows(trades.byPartition()), true);
        remaining.register(rows(restore.remaining()), true);
    }

    private static Iterable<MultiGauge.Row<?>> rows(Map<Integer, ? extends Number> values) {
        return values.entrySet().stream()
                .<MultiGauge.Row<?>>map(entry ->
                        MultiGauge.Row.of(Tags.of("partition", Integer.toString(entry.getKey())), entry.getValue()))
                .toList();
    }
}
