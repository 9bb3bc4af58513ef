package io.stockstats.store;

import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/** How many trades there are that the partitions of this instance have not read, as the consumer counts them. */
public final class TradesLag {

    private final KafkaStreams streams;
    private final String tradesTopic;

    public TradesLag(KafkaStreams streams, String tradesTopic) {
        this.streams = streams;
        this.tradesTopic = tradesTopic;
    }

    /** Trades that are not yet read, by partition; without partitions of which that is not known. */
    public Map<Integer, Long> byPartition() {
        Map<Integer, Long> lags = new TreeMap<>();
        for (Map.Entry<MetricName, ? extends Metric> metric : streams.metrics().entrySet()) {
            MetricName name = metric.getKey();
            if (name.name().equals("records-lag")
                    && name.group().equals("consumer-fetch-manager-metrics")
                    && tradesTopic.equals(name.tags().get("topic"))
                    && metric.getValue().metricValue() instanceof Double value
                    && !value.isNaN()) {
                lags.put(Integer.valueOf(name.tags().get("partition")), value.longValue());
            }
        }
        return lags;
    }
}
