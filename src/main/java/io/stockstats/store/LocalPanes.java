package io.stockstats.store;

import io.stockstats.stats.WindowRules;
import io.stockstats.topology.PaneStore;
import io.stockstats.topology.PartitionTimes;
import io.stockstats.wire.PaneKey;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jboss.logging.Logger;

/** Reads the panes that this instance has: of the partitions that it processes, and of those that it keeps a copy of. */
public final class LocalPanes {

    private static final Logger LOG = Logger.getLogger(LocalPanes.class);

    private final IntFunction<ReadOnlyKeyValueStore<Bytes, byte[]>> copies;
    private final PartitionTimes times;
    private final CopyLags lags;
    private final IntPredicate restored;
    private final WindowRules rules;

    /** @param restored whether the panes of a partition that nobody processes here can be told to others */
    public LocalPanes(
            KafkaStreams streams, PartitionTimes times, CopyLags lags, IntPredicate restored, WindowRules rules) {
        this(partition -> copy(streams, partition), times, lags, restored, rules);
    }

    /** @param copies a partition's panes that nobody processes here; throws {@link InvalidStateStoreException} when they cannot be read now */
    public LocalPanes(
            IntFunction<ReadOnlyKeyValueStore<Bytes, byte[]>> copies,
            PartitionTimes times,
            CopyLags lags,
            IntPredicate restored,
            WindowRules rules) {
        this.copies = copies;
        this.times = times;
        this.lags = lags;
        this.restored = restored;
        this.rules = rules;
    }

    private static ReadOnlyKeyValueStore<Bytes, byte[]> copy(KafkaStreams streams, int partition) {
        try {
            // Copies included: while tasks move Kafka Streams hides even those that stay where they are.
            return streams.store(StoreQueryParameters.fromNameAndType(
                            PaneStore.NAME, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                    .withPartition(partition)
                    .enableStaleStores());
        } catch (IllegalStateException e) {
            throw new InvalidStateStoreException("the stream is stopping or stopped", e);
        }
    }

    /** Whether this instance processes the partition now. */
    public boolean processes(int partition) {
        return times.of(partition) != null;
    }

    /**
     * Reads one partition.
     *
     * @return what {@code question} makes of it; empty when this instance has not got the partition, or cannot read it
     *     now
     */
    public <T> Optional<Copy<T>> read(int partition, Function<PanesReader, T> question) {
        PartitionTimes.Entry here = times.entry(partition);
        if (here == null && !restored.test(partition)) {
            return Optional.empty();
        }
        try {
            return here == null ? readCopy(partition, question) : readOwn(partition, here, question);
        } catch (InvalidStateStoreException e) {
            // The partition is elsewhere, or the client is starting or stopping: another moment, or another instance.
            LOG.debugf(e, "partition %d cannot be read now", partition);
            return Optional.empty();
        }
    }

    /** Straight from the task's store: Kafka Streams would look it up anew for every ticker of a page. */
    private <T> Optional<Copy<T>> readOwn(int partition, PartitionTimes.Entry here, Function<PanesReader, T> question) {
        T said = question.apply(new PanesReader(here.panes(), here.times(), rules));
        // What was closed meanwhile may have looked empty.
        return here.isHeld() ? Optional.of(Copy.active(partition, said)) : Optional.empty();
    }

    private <T> Optional<Copy<T>> readCopy(int partition, Function<PanesReader, T> question) {
        ReadOnlyKeyValueStore<Bytes, byte[]> copy = copies.apply(partition);
        T said = question.apply(new PanesReader(copy, PaneStore.timesIn(copy), rules));
        // What was closed meanwhile may have looked empty, and what began meanwhile may have been half there.
        refuseIfClosed(copies.apply(partition));
        return Optional.of(Copy.following(partition, lags.of(partition), said));
    }

    private static void refuseIfClosed(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        // Any read does that.
        store.get(Bytes.wrap(PaneKey.highest()));
    }
}
