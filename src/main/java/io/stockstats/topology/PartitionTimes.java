package io.stockstats.topology;

import io.stockstats.stats.WindowRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * How far each partition that this instance processes has come in event time. The stream's threads write it, queries
 * read it.
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

    /** Claims the partition for a task that has just started. */
    Entry claim(int partition) {
        Entry entry = new Entry(partition);
        partitions.put(partition, entry);
        return entry;
    }

    /** One task's hold on a partition; a task that ended cannot speak for the next one. */
    final class Entry {
        private final int partition;
        private volatile Times times = Times.NONE;

        private Entry(int partition) {
            this.partition = partition;
        }

        void set(Times newTimes) {
            times = newTimes;
        }

        Times times() {
            return times;
        }

        void release() {
            partitions.remove(partition, this);
        }
    }
}
