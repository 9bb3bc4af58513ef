package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.WindowRules;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.PaneKey;
import io.stockstats.wire.PaneStatsSerde;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * One partition's panes, as the stream writes them: keyed by {@link PaneKey}, and beside them three records of the
 * store's own, under keys that begin with a zero byte: its geometry, until when its windows were closed, and about how
 * far stream time was.
 *
 * <p>A plain key-value store, not a window store: a window store's changelog is deleted by its records' time, which is
 * event time, so that an old day replayed would lose its state; see {@code src/docs/adr}.
 */
public final class PaneStore {

    /** The store's name, and so a part of its changelog's: {@code stockstats-panes-changelog}. */
    public static final String NAME = "panes";

    /** Records are compacted and never deleted for their age; small segments, so that restores read little twice. */
    static final Map<String, String> CHANGELOG =
            Map.of("cleanup.policy", "compact", "segment.bytes", "67108864", "segment.ms", "600000");

    private static final Bytes GEOMETRY = Bytes.wrap(new byte[] {0, 'g'});
    private static final Bytes CLOSED_TIME = Bytes.wrap(new byte[] {0, 'c'});
    private static final Bytes STREAM_TIME = Bytes.wrap(new byte[] {0, 't'});
    private static final byte GEOMETRY_VERSION = 1;
    private static final int GEOMETRY_BYTES = 2 + Long.BYTES;

    private final KeyValueStore<Bytes, byte[]> store;
    private boolean geometryKnown;

    PaneStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /** Builds the store. */
    static StoreBuilder<CommitAwareStore> builder(StatsConfig.Store kind) {
        return CommitAwareStore.builder(builder(NAME, kind));
    }

    /** A store of another name, kept and logged alike. */
    static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(String name, StatsConfig.Store kind) {
        return Stores.keyValueStoreBuilder(
                        kind == StatsConfig.Store.ROCKSDB
                                ? Stores.persistentKeyValueStore(name)
                                : Stores.inMemoryKeyValueStore(name),
                        Serdes.Bytes(),
                        Serdes.ByteArray())
                .withLoggingEnabled(CHANGELOG)
                .withCachingDisabled();
    }

    /**
     * Refuses state of another geometry.
     *
     * @throws StateGeometryException naming the setting and the remedy
     */
    void check(long paneWidth) {
        byte[] bytes = store.get(GEOMETRY);
        if (bytes == null) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length != GEOMETRY_BYTES || in.get() != GEOMETRY_VERSION || in.get() != PaneStatsSerde.VERSION) {
            throw new StateGeometryException("the state was written by another version of Stockstats, in a format that"
                    + " this one does not read: run that version, or reset the application and replay");
        }
        long stored = in.getLong();
        if (stored != paneWidth) {
            throw new StateGeometryException("stockstats.window.advance is " + paneWidth
                    + " ms, and the state was made with " + stored
                    + " ms: set it back, or give the service a new quarkus.kafka-streams.application-id and replay");
        }
        geometryKnown = true;
    }

    void put(Ticker ticker, long paneStart, PaneStats pane, long paneWidth) {
        if (!geometryKnown) {
            store.put(
                    GEOMETRY,
                    ByteBuffer.allocate(GEOMETRY_BYTES)
                            .put(GEOMETRY_VERSION)
                            .put(PaneStatsSerde.VERSION)
                            .putLong(paneWidth)
                            .array());
            geometryKnown = true;
        }
        store.put(key(ticker, paneStart), PaneStatsSerde.serialize(pane));
    }

    /** The time until which windows were closed because the partition was silent, or {@code otherwise}. */
    long closedTimeOr(long otherwise) {
        return time(store, CLOSED_TIME, otherwise);
    }

    void putClosedTime(long time) {
        put(CLOSED_TIME, time);
    }

    /** For those who read a copy of the store; the stream itself goes by what Kafka Streams has committed. */
    void putStreamTime(long time) {
        put(STREAM_TIME, time);
    }

    private void put(Bytes key, long time) {
        store.put(key, ByteBuffer.allocate(Long.BYTES).putLong(time).array());
    }

    /** How far the partition had come when a copy of its store, which nobody processes here, was last written to. */
    public static PartitionTimes.Times timesIn(ReadOnlyKeyValueStore<Bytes, byte[]> copy) {
        long streamTime = time(copy, STREAM_TIME, WindowRules.NO_STREAM_TIME);
        return new PartitionTimes.Times(streamTime, Math.max(streamTime, time(copy, CLOSED_TIME, streamTime)));
    }

    private static long time(ReadOnlyKeyValueStore<Bytes, byte[]> store, Bytes key, long otherwise) {
        byte[] bytes = store.get(key);
        return bytes == null ? otherwise : ByteBuffer.wrap(bytes).getLong();
    }

    /** The ticker's panes that start in {@code [from, to)}. */
    NavigableMap<Long, PaneStats> panes(Ticker ticker, long from, long to) {
        NavigableMap<Long, PaneStats> panes = new TreeMap<>();
        if (from < to && to > 0) {
            // Keys sort as unsigned bytes: one before the epoch, where no pane lies, would stand behind all others.
            Bytes first = key(ticker, Math.max(0, from));
            try (KeyValueIterator<Bytes, byte[]> found = store.range(first, key(ticker, to - 1))) {
                found.forEachRemaining(
                        entry -> panes.put(PaneKey.startOf(entry.key.get()), PaneStatsSerde.deserialize(entry.value)));
            }
        }
        return panes;
    }

    /** Calls back with every ticker's first and last pane, in code-point order of tickers. */
    void forEachTicker(TickerRange out) {
        Bytes from = Bytes.wrap(PaneKey.lowest());
        Bytes end = Bytes.wrap(PaneKey.highest());
        while (true) {
            PaneKey first;
            try (KeyValueIterator<Bytes, byte[]> ahead = store.range(from, end)) {
                if (!ahead.hasNext()) {
                    return;
                }
                first = PaneKey.parse(ahead.next().key.get());
            }
            Ticker ticker = first.ticker();
            try (KeyValueIterator<Bytes, byte[]> back =
                    store.reverseRange(key(ticker, first.start()), key(ticker, Long.MAX_VALUE))) {
                KeyValue<Bytes, byte[]> last = back.next();
                out.accept(
                        ticker, first.start(), PaneKey.startOf(last.key.get()), PaneStatsSerde.deserialize(last.value));
            }
            from = Bytes.wrap(PaneKey.lowestAfter(ticker));
        }
    }

    /** Receives one ticker's extent in the store. */
    interface TickerRange {
        void accept(Ticker ticker, long firstPane, long lastPane, PaneStats last);
    }

    /**
     * What was deleted of one ticker.
     *
     * @param panes how many panes
     * @param oldest where the first pane that is left starts, or {@link Long#MAX_VALUE} when none is left
     */
    record Deleted(int panes, long oldest) {}

    /** Deletes the ticker's panes from {@code oldest} up to the first that {@code expired} spares, at most so many. */
    Deleted deleteWhile(Ticker ticker, long oldest, LongPredicate expired, int most) {
        int deleted = 0;
        try (KeyValueIterator<Bytes, byte[]> ahead = store.range(key(ticker, oldest), key(ticker, Long.MAX_VALUE))) {
            while (ahead.hasNext()) {
                Bytes key = ahead.next().key;
                long start = PaneKey.startOf(key.get());
                if (deleted == most || !expired.test(start)) {
                    return new Deleted(deleted, start);
                }
                store.delete(key);
                deleted++;
            }
        }
        return new Deleted(deleted, Long.MAX_VALUE);
    }

    private static Bytes key(Ticker ticker, long start) {
        return Bytes.wrap(new PaneKey(ticker, start).bytes());
    }
}
