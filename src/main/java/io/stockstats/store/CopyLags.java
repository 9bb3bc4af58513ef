package io.stockstats.store;

import io.stockstats.topology.PaneStore;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.LagInfo;
import org.apache.kafka.streams.errors.StreamsException;
import org.jboss.logging.Logger;

/** How far this instance's copies of partitions are behind their changelogs, as last looked. */
public final class CopyLags {

    private static final Logger LOG = Logger.getLogger(CopyLags.class);

    private volatile Map<Integer, Long> lags = Map.of();

    /** Changelog records that the copy of the partition was behind; empty when that is not known. */
    public OptionalLong of(int partition) {
        Long lag = lags.get(partition);
        return lag == null ? OptionalLong.empty() : OptionalLong.of(lag);
    }

    /** Looks again, which asks the broker; when it does not answer, what was known stays. */
    public void refresh(KafkaStreams streams) {
        if (!streams.state().isRunningOrRebalancing()) {
            return;
        }
        try {
            Map<Integer, Long> now = new HashMap<>();
            streams.allLocalStorePartitionLags()
                    .getOrDefault(PaneStore.NAME, Map.<Integer, LagInfo>of())
                    .forEach((partition, lag) -> now.put(partition, lag.offsetLag()));
            lags = Map.copyOf(now);
        } catch (StreamsException | IllegalStateException e) {
            LOG.debug("the ends of the changelogs are not known now", e);
        }
    }
}
