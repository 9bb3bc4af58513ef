package io.stockstats.topology;

/**
 * How many partitions panes are kept in, which is the trades topic's number. Unknown until the topic was seen; only who
 * asked all of them may say that a ticker is unknown.
 */
public final class PartitionCount {

    private static final int UNKNOWN = 0;

    private volatile int partitions = UNKNOWN;

    /** The number of partitions, or 0 while it is unknown. */
    public int get() {
        return partitions;
    }

    /** Learns the number of partitions. */
    public void set(int count) {
        partitions = count;
    }
}
