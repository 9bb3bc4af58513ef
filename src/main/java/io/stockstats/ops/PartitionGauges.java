package io.stockstats.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.stockstats.store.RestoreProgress;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/** Gauges by partition, of the partitions that this instance reads or restores. */
final class PartitionGauges {

    private final KafkaStreams streams;
    private final RestoreProgress restore;
    private final String tradesTopic;
    private final MultiGauge lag;
    private final MultiGauge remaining;

    PartitionGauges(KafkaStreams streams, RestoreProgress restore, String tradesTopic, MeterRegistry registry) {
        this.streams = streams;
        this.restore = restore;
        this.tradesTopic = tradesTopic;
        this.lag = MultiGauge.builder("stockstats.partition.lag")
                .description("Trades of the partition that are not yet read")
                .register(registry);
        this.remaining = MultiGauge.builder("stockstats.restore.remaining.records")
                .description("Changelog records of the partition that are not yet restored")
                .register(registry);
    }

    void refresh() {
        lag.register(rows(lags()), true);
        remaining.register(rows(restore.remaining()), true);
    }

    private static Iterable<MultiGauge.Row<?>> rows(Map<Integer, ? extends Number> values) {
        return values.entrySet().stream()
                .<MultiGauge.Row<?>>map(entry ->
                        MultiGauge.Row.of(Tags.of("partition", Integer.toString(entry.getKey())), entry.getValue()))
                .toList();
    }

    private Map<Integer, Double> lags() {
        Map<Integer, Double> lags = new HashMap<>();
        for (Map.Entry<MetricName, ? extends Metric> metric : streams.metrics().entrySet()) {
            MetricName name = metric.getKey();
            if (name.name().equals("records-lag")
                    && name.group().equals("consumer-fetch-manager-metrics")
                    && tradesTopic.equals(name.tags().get("topic"))
                    && metric.getValue().metricValue() instanceof Double value
                    && !value.isNaN()) {
                lags.put(Integer.valueOf(name.tags().get("partition")), value);
            }
        }
        return lags;
    }
}
