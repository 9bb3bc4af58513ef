package io.stockstats.topology;

import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.wire.TopListJson;
import io.stockstats.wire.TopPart;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Merges the partitions' parts into top lists, in one place. A list is written when it changes, and once more, complete,
 * when the last partition has closed its window; what comes for the window after that says nothing new.
 *
 * <p>The store holds each partition's part of each window that is not complete, and how far each partition is.
 */
final class TopMerger implements Processor<Integer, TopPart, Long, TopListJson> {

    /** The store's name, and so a part of its changelog's: {@code stockstats-top-changelog}. */
    static final String STORE = "top";

    private static final Duration TICK = Duration.ofSeconds(1);
    private static final byte PART = 1;
    private static final byte CLOSED = 2;

    private final TopSettings top;
    private final long retention;
    private final IntSupplier partitions;

    private final Map<Integer, Long> closedUntil = new HashMap<>();
    private final NavigableSet<Long> windows = new TreeSet<>();
    private final Map<Long, List<WindowStats>> written = new HashMap<>();
    private long completeUntil = Long.MIN_VALUE;

    private ProcessorContext<Long, TopListJson> context;
    private KeyValueStore<Bytes, byte[]> store;
    private Cancellable ticks;

    /**
     * @param retention how long after its end, in event time, a window is waited for that does not become complete,
     *     milliseconds
     * @param partitions how many partitions must close a window; 0 while that is not known
     */
    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    TopMerger(TopSettings top, long retention, IntSupplier partitions) {
        this.top = top;
        this.retention = retention;
        this.partitions = partitions;
    }

    static StoreBuilder<KeyValueStore<Bytes, byte[]>> builder(StatsConfig.Store kind) {
        return Stores.keyValueStoreBuilder(
                        kind == StatsConfig.Store.ROCKSDB
                                ? Stores.persistentKeyValueStore(STORE)
                                : Stores.inMemoryKeyValueStore(STORE),
                        Serdes.Bytes(),
                        Serdes.ByteArray())
                .withLoggingEnabled(PaneStore.CHANGELOG)
                .withCachingDisabled();
    }

    @Override
    public void init(ProcessorContext<Long, TopListJson> newContext) {
        context = newContext;
        store = context.getStateStore(STORE);
        closedUntil.clear();
        windows.clear();
        written.clear();
        completeUntil = Long.MIN_VALUE;
        try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
            all.forEachRemaining(entry -> {
                ByteBuffer key = ByteBuffer.wrap(entry.key.get());
                if (key.get() == PART) {
                    windows.add(key.getLong());
                } else {
                    closedUntil.put(key.getInt(), ByteBuffer.wrap(entry.value).getLong());
                }
            });
        }
        ticks = context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, now -> {
            complete();
            forgetOld();
        });
    }

    @Override
    public void process(Record<Integer, TopPart> record) {
        TopPart part = record.value();
        // Parts that were sent before say less than what is known, and lists that are complete stay as they are.
        if (part.start() != TopPart.NO_WINDOW && part.start() + top.window() > completeUntil) {
            store.put(partKey(part.start(), part.partition()), part.bytes());
            windows.add(part.start());
            write(part.start(), false);
        }
        if (part.closedUntil() > closedUntil.getOrDefault(part.partition(), Long.MIN_VALUE)) {
            closedUntil.put(part.partition(), part.closedUntil());
            store.put(
                    closedKey(part.partition()),
                    ByteBuffer.allocate(Long.BYTES).putLong(part.closedUntil()).array());
            complete();
        }
    }

    /** Writes the lists that have become complete, for the last time. */
    private void complete() {
        int count = partitions.getAsInt();
        if (count == 0 || closedUntil.size() < count) {
            return;
        }
        completeUntil =
                closedUntil.values().stream().mapToLong(Long::longValue).min().orElseThrow();
        while (!windows.isEmpty() && windows.first() + top.window() <= completeUntil) {
            long start = windows.first();
            write(start, true);
            forget(start);
        }
    }

    private void write(long start, boolean complete) {
        List<WindowStats> all = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> parts =
                store.range(partKey(start, 0), partKey(start, Integer.MAX_VALUE))) {
            parts.forEachRemaining(
                    entry -> all.addAll(TopPart.parse(entry.value).first()));
        }
        List<WindowStats> first = top.ranking().first(top.n(), all);
        if (!complete && first.equals(written.put(start, first))) {
            return;
        }
        List<WindowStats> list = first.stream()
                .map(each -> new WindowStats(each.ticker(), each.window(), complete, each.stats()))
                .toList();
        context.forward(new Record<>(
                start,
                new TopListJson(Window.startingAt(start, top.window()), top.ranking(), list, complete),
                list.stream()
                        .mapToLong(each -> each.stats().last().eventMillis())
                        .max()
                        .orElse(Math.max(0, start))));
    }

    /** A partition without trades never closes a window; lists are not kept for ever because of it. */
    private void forgetOld() {
        long newest =
                closedUntil.values().stream().mapToLong(Long::longValue).max().orElse(Long.MIN_VALUE);
        while (!windows.isEmpty() && windows.first() + top.window() + retention <= newest) {
            forget(windows.first());
        }
    }

    private void forget(long start) {
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> parts =
                store.range(partKey(start, 0), partKey(start, Integer.MAX_VALUE))) {
            parts.forEachRemaining(entry -> keys.add(entry.key));
        }
        keys.forEach(store::delete);
        windows.remove(start);
        written.remove(start);
    }

    private static Bytes partKey(long start, int partition) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
                .put(PART)
                .putLong(start)
                .putInt(partition)
                .array());
    }

    private static Bytes closedKey(int partition) {
        return Bytes.wrap(ByteBuffer.allocate(1 + Integer.BYTES)
                .put(CLOSED)
                .putInt(partition)
                .array());
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
        }
    }
}
