package io.stockstats.topology;

import io.stockstats.stats.WindowRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * How far each partition that this instance processes has come in event time, and its panes. The stream's threads write
 * it, queries read it.
 */
public final class PartitionTimes {

    private final Map<Integer, Entry> partitions = new ConcurrentHashMap<>();

    /**
     * How far one partition has come.
     *
     * @param streamTime the highest event time of an accepted trade, milliseconds since the epoch, or
     *     {@link WindowRules#NO_STREAM_TIME}
     * @param closedTime stream time as far as finality is concerned: later than {@code streamTime} once a silent
     *     partition's windows were closed
     */
    public record Times(long streamTime, long closedTime) {
        /** Of a partition that has not seen a trade. */
        public static final Times NONE = new Times(WindowRules.NO_STREAM_TIME, WindowRules.NO_STREAM_TIME);
    }

    /** The partition's times; null when this instance does not process it now. */
    public @Nullable Times of(int partition) {
        Entry entry = partitions.get(partition);
        return entry == null ? null : entry.times;
    }

    /** The hold on the partition of the task that processes it; null when this instance does not process it now. */
    public @Nullable Entry entry(int partition) {
        return partitions.get(partition);
    }

    /** Claims the partition for a task that has just started, and whose panes are {@code panes}. */
    Entry claim(int partition, ReadOnlyKeyValueStore<Bytes, byte[]> panes) {
        Entry entry = new Entry(partition, panes);
        partitions.put(partition, entry);
        return entry;
    }

    /** One task's hold on a partition; a task that ended cannot speak for the next one. */
    public final class Entry {
        private final int partition;
        private final ReadOnlyKeyValueStore<Bytes, byte[]> panes;
        private volatile Times times = Times.NONE;

        private Entry(int partition, ReadOnlyKeyValueStore<Bytes, byte[]> panes) {
            this.partition = partition;
            this.panes = panes;
        }

        public Times times() {
            return times;
        }

        /** The partition's panes, for any thread to read. */
        public ReadOnlyKeyValueStore<Bytes, byte[]> panes() {
            return panes;
        }

        /** Whether the task goes on: it ends before its store is closed. */
        public boolean isHeld() {
            return partitions.get(partition) == this;
        }

        void set(Times newTimes) {
            times = newTimes;
        }

        void release() {
            partitions.remove(partition, this);
        }
    }
}
