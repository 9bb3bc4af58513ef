package io.stockstats.store;

import io.stockstats.topology.PaneStore;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jboss.logging.Logger;

/**
 * How far each partition's panes have come on their way back from the changelog; says so in the log as it goes. Another
 * store's partitions are not those of trades.
 */
public final class RestoreProgress implements StateRestoreListener {

    private static final Logger LOG = Logger.getLogger(RestoreProgress.class);
    private static final long LOG_EVERY_NANOS = 10_000_000_000L;

    private final LongSupplier nanoTime;
    private final Map<Integer, Restore> partitions = new ConcurrentHashMap<>();

    /** @param nanoTime as {@link System#nanoTime} */
    public RestoreProgress(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Changelog records yet to be restored, by partition; 0 for one that is done. */
    public Map<Integer, Long> remaining() {
        Map<Integer, Long> remaining = new TreeMap<>();
        partitions.forEach((partition, restore) -> remaining.put(partition, restore.total - restore.done));
        return remaining;
    }

    /** All partitions' restores, those that are done included. */
    public InstanceStatus.Restore sum() {
        return InstanceStatus.Restore.of(
                partitions.values().stream().mapToLong(Restore::done).sum(),
                partitions.values().stream().mapToLong(Restore::total).sum());
    }

    @Override
    public void onRestoreStart(TopicPartition changelog, String store, long startingOffset, long endingOffset) {
        if (!store.equals(PaneStore.NAME)) {
            return;
        }
        long now = nanoTime.getAsLong();
        Restore restore = new Restore(Math.max(0, endingOffset - startingOffset), 0, now, now);
        partitions.put(changelog.partition(), restore);
        if (restore.total > 0) {
            LOG.infof("restore begins: partition=%d records=%d at most", changelog.partition(), restore.total);
        }
    }

    @Override
    public void onBatchRestored(TopicPartition changelog, String store, long batchEndOffset, long records) {
        if (!store.equals(PaneStore.NAME)) {
            return;
        }
        long now = nanoTime.getAsLong();
        partitions.computeIfPresent(changelog.partition(), (partition, before) -> {
            // The total is of offsets, some of which compaction has emptied: it is what is left at most.
            Restore restore =
                    new Restore(before.total, Math.min(before.total, before.done + records), before.since, before.said);
            if (now - restore.said < LOG_EVERY_NANOS) {
                return restore;
            }
            LOG.infof(
                    "restoring: partition=%d records=%d of at most %d (%d %%)",
                    partition,
                    restore.done,
                    restore.total,
                    restore.total == 0 ? 100 : 100 * restore.done / restore.total);
            return new Restore(restore.total, restore.done, restore.since, now);
        });
    }

    @Override
    public void onRestoreEnd(TopicPartition changelog, String store, long totalRestored) {
        if (!store.equals(PaneStore.NAME)) {
            return;
        }
        partitions.computeIfPresent(changelog.partition(), (partition, before) -> {
            LOG.logf(
                    before.total > 0 ? Logger.Level.INFO : Logger.Level.DEBUG,
                    "restore done: partition=%d records=%d ms=%d",
                    partition,
                    totalRestored,
                    (nanoTime.getAsLong() - before.since) / 1_000_000);
            return new Restore(totalRestored, totalRestored, before.since, before.said);
        });
    }

    @Override
    public void onRestoreSuspended(TopicPartition changelog, String store, long totalRestored) {
        if (!store.equals(PaneStore.NAME)) {
            return;
        }
        LOG.infof("restore suspended: partition=%d records=%d", changelog.partition(), totalRestored);
        partitions.remove(changelog.partition());
    }

    /** One partition's restore: offsets in all and done, and when it began and was last spoken of. */
    private record Restore(long total, long done, long since, long said) {}
}
