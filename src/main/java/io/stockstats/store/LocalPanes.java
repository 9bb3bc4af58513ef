package io.stockstats.store;

import io.stockstats.stats.WindowRules;
import io.stockstats.topology.PaneStore;
import io.stockstats.topology.PartitionTimes;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jboss.logging.Logger;

/** Reads the panes of the partitions that this instance processes. */
public final class LocalPanes {

    private static final Logger LOG = Logger.getLogger(LocalPanes.class);

    private final IntFunction<ReadOnlyKeyValueStore<Bytes, byte[]>> stores;
    private final PartitionTimes times;
    private final WindowRules rules;

    public LocalPanes(KafkaStreams streams, PartitionTimes times, WindowRules rules) {
        this(
                partition -> streams.store(StoreQueryParameters.fromNameAndType(
                                PaneStore.NAME, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition)),
                times,
                rules);
    }

    /** @param stores a partition's panes; throws {@link InvalidStateStoreException} when they cannot be read now */
    public LocalPanes(
            IntFunction<ReadOnlyKeyValueStore<Bytes, byte[]>> stores, PartitionTimes times, WindowRules rules) {
        this.stores = stores;
        this.times = times;
        this.rules = rules;
    }

    /** The partitions below {@code count} that are processed here now. */
    public IntStream partitions(int count) {
        return IntStream.range(0, count).filter(partition -> times.of(partition) != null);
    }

    /**
     * Reads one partition.
     *
     * @return what {@code question} makes of it; empty when the partition cannot be read here now
     */
    public <T> Optional<T> read(int partition, Function<PanesReader, T> question) {
        PartitionTimes.Times now = times.of(partition);
        if (now == null) {
            return Optional.empty();
        }
        try {
            T answer = question.apply(new PanesReader(stores.apply(partition), now, rules));
            // A store that was closed meanwhile may have looked empty.
            return times.of(partition) == null ? Optional.empty() : Optional.of(answer);
        } catch (InvalidStateStoreException e) {
            // The partition is moving or the client is starting or stopping: another moment, or another instance.
            LOG.debugf(e, "partition %d cannot be read now", partition);
            return Optional.empty();
        }
    }
}
