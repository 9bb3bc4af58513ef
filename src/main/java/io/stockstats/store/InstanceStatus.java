package io.stockstats.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an instance is.
 *
 * @param name its name, which stays the same when it starts anew; null of one that has never answered
 * @param state the stream's state as Kafka Streams names it, or {@code UNREACHABLE}
 * @param active the partitions that it processes
 * @param standby the partitions that it keeps a copy of
 * @param restore how far its state is back from the changelog; null of one that does not answer
 */
public record InstanceStatus(
        @Nullable String name,
        String state,
        List<PartitionStatus> active,
        List<PartitionStatus> standby,
        @Nullable Restore restore) {

    /**
     * One partition.
     *
     * @param lag what there is to the end of the topic: trades not yet read, or changelog records that the copy is
     *     behind; null when that is not known now
     */
    public record PartitionStatus(int partition, @Nullable Long lag) {}

    /**
     * Changelog records.
     *
     * @param done how many have been restored
     * @param total how many there are to restore at most, those included
     * @param percent {@code done} of {@code total}, rounded down; 100 when there is nothing to restore
     */
    public record Restore(long done, long total, int percent) {

        public static Restore of(long done, long total) {
            return new Restore(done, total, total == 0 ? 100 : (int) (100 * done / total));
        }
    }
}
