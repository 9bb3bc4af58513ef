package io.stockstats.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockstats.wire.TradesConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/** Notices trades that retention removed before they were read: Kafka's own consumer passes over them in silence. */
final class LostTrades {

    private static final Logger LOG = Logger.getLogger(LostTrades.class);

    private final String group;
    private final String topic;
    private final TradesConfig.Start start;
    private final Counter lost;

    /** The oldest offset of each partition when it was last spoken of. */
    private final Map<TopicPartition, Long> reported = new HashMap<>();

    LostTrades(String group, String topic, TradesConfig.Start start, MeterRegistry registry) {
        this.group = group;
        this.topic = topic;
        this.start = start;
        this.lost = Counter.builder("stockstats.trades.lost")
                .description("Offsets of the trades topic that retention removed before this group read them")
                .register(registry);
    }

    /** Looks at every partition, and says what was lost since the last look. */
    void report(Admin admin, int partitions) throws ExecutionException, TimeoutException, InterruptedException {
        var committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(TopicsWatch.CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        Map<TopicPartition, OffsetSpec> oldest = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            TopicPartition each = new TopicPartition(topic, partition);
            if (committed.get(each) != null) {
                oldest.put(each, OffsetSpec.earliest());
            }
        }
        admin.listOffsets(oldest)
                .all()
                .get(TopicsWatch.CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .forEach((partition, first) -> {
                    long read = Objects.requireNonNull(committed.get(partition)).offset();
                    long from = Math.max(read, reported.getOrDefault(partition, 0L));
                    if (from < first.offset()) {
                        reported.put(partition, first.offset());
                        lost.increment((double) (first.offset() - from));
                        LOG.errorf(
                                "trades lost: retention removed offsets %d to %d of %s before they were read; reading"
                                        + " goes on at the %s trade there is. Make retention.ms of the topic longer"
                                        + " than any outage.",
                                from,
                                first.offset() - 1,
                                partition,
                                start == TradesConfig.Start.EARLIEST ? "oldest" : "next");
                    }
                });
    }
}
