package io.stockstats.topology;

import io.stockstats.stats.TopRule;
import io.stockstats.wire.TopReport;
import io.stockstats.wire.TopReportSerde;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * What the partitions have reported and {@link TopMerger} may still need. Lists are under the window's start (eight bytes,
 * big-endian) and the partition (four); the store's own records are under keys that begin with {@code 0xFF}, behind all
 * windows: each partition's progress, the number of partitions, and up to where windows were forgotten.
 */
final class TopStore {

    /** The store's name, and so a part of its changelog's: {@code stockstats-top-lists-changelog}. */
    static final String NAME = "top-lists";

    private static final byte OWN = (byte) 0xFF;
    private static final byte[] FIRST_PROGRESS = {OWN, 'p'};
    private static final byte[] LAST_PROGRESS = {OWN, 'p', OWN, OWN, OWN, OWN, OWN};
    private static final Bytes PARTITIONS = Bytes.wrap(new byte[] {OWN, 'n'});
    private static final Bytes FORGOTTEN = Bytes.wrap(new byte[] {OWN, 'f'});
    private static final int LIST_KEY_BYTES = Long.BYTES + Integer.BYTES;

    private final KeyValueStore<Bytes, byte[]> store;

    TopStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Builds the store, kept and logged as panes are. */
    static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(StatsConfig.Store kind) {
        return PaneStore.builder(NAME, kind);
    }

    /** Deletes everything if any of it was reported by another rule: such lists cannot be merged with those to come. */
    void keepOnly(TopRule rule) {
        boolean foreign = false;
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            while (all.hasNext()) {
                var entry = all.next();
                keys.add(entry.key);
                boolean report = entry.key.get().length == LIST_KEY_BYTES || isProgress(entry.key);
                foreign |= report
                        && !TopReportSerde.deserialize(entry.value).rule().equals(rule);
            }
        }
        if (foreign) {
            keys.forEach(store::delete);
        }
    }

    private static boolean isProgress(Bytes key) {
        return key.get().length == FIRST_PROGRESS.length + Integer.BYTES
                && key.get()[0] == OWN
                && key.get()[1] == FIRST_PROGRESS[1];
    }

    /** The starts of all windows of which there is a list. */
    NavigableSet<Long> windows() {
        NavigableSet<Long> starts = new TreeSet<>();
        try (KeyValueIterator<Bytes, byte[]> lists =
                store.range(Bytes.wrap(listKey(0, 0)), Bytes.wrap(listKey(Long.MAX_VALUE, Integer.MAX_VALUE)))) {
            lists.forEachRemaining(
                    each -> starts.add(ByteBuffer.wrap(each.key.get()).getLong()));
        }
        return starts;
    }

    /** The window's lists by partition. */
    Map<Integer, TopReport.Partial> lists(long start) {
        Map<Integer, TopReport.Partial> lists = new TreeMap<>();
        try (KeyValueIterator<Bytes, byte[]> found =
                store.range(Bytes.wrap(listKey(start, 0)), Bytes.wrap(listKey(start, Integer.MAX_VALUE)))) {
            found.forEachRemaining(each -> {
                TopReport.Partial list = TopReportSerde.deserialize(each.value).fold(partial -> partial, progress -> {
                    throw new IllegalStateException("progress where a list should be: " + progress);
                });
                lists.put(list.partition(), list);
            });
        }
        return lists;
    }

    void put(TopReport.Partial list) {
        store.put(Bytes.wrap(listKey(list.windowStart(), list.partition())), TopReportSerde.serialize(list));
    }

    /** Deletes the window's lists; it, and any before it of which there are no lists, is not taken up again. */
    void forget(long start) {
        lists(start).keySet().forEach(partition -> store.delete(Bytes.wrap(listKey(start, partition))));
        if (start > forgottenUpTo()) {
            store.put(FORGOTTEN, ByteBuffer.allocate(Long.BYTES).putLong(start).array());
        }
    }

    /** The start of the newest window that was forgotten; -1 when none was. */
    long forgottenUpTo() {
        byte[] bytes = store.get(FORGOTTEN);
        return bytes == null ? -1 : ByteBuffer.wrap(bytes).getLong();
    }

    /** Each partition's progress. */
    Map<Integer, TopReport.Progress> progress() {
        Map<Integer, TopReport.Progress> all = new TreeMap<>();
        try (KeyValueIterator<Bytes, byte[]> found =
                store.range(Bytes.wrap(FIRST_PROGRESS), Bytes.wrap(LAST_PROGRESS))) {
            found.forEachRemaining(each -> {
                TopReport.Progress progress = TopReportSerde.deserialize(each.value)
                        .fold(
                                partial -> {
                                    throw new IllegalStateException("a list where progress should be: " + partial);
                                },
                                said -> said);
                all.put(progress.partition(), progress);
            });
        }
        return all;
    }

    void put(TopReport.Progress progress) {
        byte[] key = ByteBuffer.allocate(FIRST_PROGRESS.length + Integer.BYTES)
                .put(FIRST_PROGRESS)
                .putInt(progress.partition())
                .array();
        store.put(Bytes.wrap(key), TopReportSerde.serialize(progress));
    }

    /** How many partitions there are; 0 while it is unknown. */
    int partitions() {
        byte[] bytes = store.get(PARTITIONS);
        return bytes == null ? 0 : ByteBuffer.wrap(bytes).getInt();
    }

    void putPartitions(int count) {
        store.put(PARTITIONS, ByteBuffer.allocate(Integer.BYTES).putInt(count).array());
    }

    private static byte[] listKey(long start, int partition) {
        return ByteBuffer.allocate(LIST_KEY_BYTES)
                .putLong(start)
                .putInt(partition)
                .array();
    }
}
