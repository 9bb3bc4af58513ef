package io.stockstats.topology;

/** Partitions that are processed here, as a test says. */
public final class KnownTimes {

    private final PartitionTimes times = new PartitionTimes();

    /** A partition whose stream time is {@code streamTime}, by which its windows are final. */
    public KnownTimes with(int partition, long streamTime) {
        times.claim(partition).set(new PartitionTimes.Times(streamTime, streamTime));
        return this;
    }

    /** Ends the partition's task. */
    public void release(int partition) {
        times.claim(partition).release();
    }

    public PartitionTimes times() {
        return times;
    }
}
