package io.stockstats.topology;

import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** Partitions that are processed here, as a test says. */
public final class KnownTimes {

    private final PartitionTimes times = new PartitionTimes();

    /** A partition with these panes whose stream time is {@code streamTime}, by which its windows are final. */
    public KnownTimes with(int partition, long streamTime, ReadOnlyKeyValueStore<Bytes, byte[]> panes) {
        times.claim(partition, panes).set(new PartitionTimes.Times(streamTime, streamTime));
        return this;
    }

    /** Ends the partition's task. */
    public void release(int partition) {
        PartitionTimes.Entry entry = times.entry(partition);
        if (entry != null) {
            entry.release();
        }
    }

    public PartitionTimes times() {
        return times;
    }
}
