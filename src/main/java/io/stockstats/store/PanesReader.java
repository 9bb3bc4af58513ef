package io.stockstats.store;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.topology.PartitionTimes;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.PaneKey;
import io.stockstats.wire.PaneStatsSerde;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * One partition's panes, merged into the windows that are asked for. Expired windows are not there, whether or not
 * their panes still are.
 */
public final class PanesReader {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private final PartitionTimes.Times times;
    private final WindowRules rules;

    PanesReader(ReadOnlyKeyValueStore<Bytes, byte[]> store, PartitionTimes.Times times, WindowRules rules) {
        this.store = store;
        this.times = times;
        this.rules = rules;
    }

    /** The ticker's window of {@code size} milliseconds that ends at the first boundary after its newest trade. */
    public Optional<WindowStats> latest(Ticker ticker, long size) {
        try (KeyValueIterator<Bytes, byte[]> back = store.reverseRange(key(ticker, 0), key(ticker, Long.MAX_VALUE))) {
            if (!back.hasNext()) {
                return Optional.empty();
            }
            KeyValue<Bytes, byte[]> entry = back.next();
            Window window = Window.endingAt(PaneKey.startOf(entry.key.get()) + rules.advance(), size);
            if (rules.isExpired(window.end(), times.streamTime())) {
                return Optional.empty();
            }
            PaneStats stats = PaneStatsSerde.deserialize(entry.value);
            while (back.hasNext()) {
                entry = back.next();
                if (PaneKey.startOf(entry.key.get()) < window.start()) {
                    break;
                }
                stats = stats.merge(PaneStatsSerde.deserialize(entry.value));
            }
            return Optional.of(answer(ticker, window, stats));
        }
    }

    /** The latest window of each ticker after {@code after} (from the first when empty), in ascending order. */
    public List<WindowStats> latestOfAll(Optional<Ticker> after, int limit, long size) {
        List<WindowStats> found = new ArrayList<>();
        forEachTicker(after.map(PaneKey::lowestAfter).orElseGet(PaneKey::lowest), ticker -> {
            latest(ticker, size).ifPresent(found::add);
            return found.size() < limit;
        });
        return found;
    }

    /**
     * The ticker's windows that {@code query} asks for.
     *
     * @return empty when the partition knows no window of that ticker and size at all
     */
    public Optional<WindowPage> windows(Ticker ticker, WindowQuery query) {
        long newestPane;
        long newestTrade;
        try (KeyValueIterator<Bytes, byte[]> back = store.reverseRange(key(ticker, 0), key(ticker, Long.MAX_VALUE))) {
            if (!back.hasNext()) {
                return Optional.empty();
            }
            KeyValue<Bytes, byte[]> newest = back.next();
            newestPane = PaneKey.startOf(newest.key.get());
            newestTrade = PaneStatsSerde.deserialize(newest.value).last().eventMillis();
        }
        if (rules.isExpired(newestPane + query.size(), times.streamTime())) {
            return Optional.empty();
        }
        long to = query.to().orElse(newestTrade + 1);
        long from = query.from().orElse(to - WindowQuery.DEFAULT_SPAN_MS);
        long firstLiving = rules.paneStart(times.streamTime() - rules.retention() - query.size()) + rules.advance();
        long lowest = Math.max(Math.max(0, firstLiving), rules.paneStart(from + rules.advance() - 1));
        long highest = Math.min(newestPane, rules.paneStart(to - 1));
        if (lowest > highest) {
            return Optional.of(new WindowPage(List.of(), Optional.empty()));
        }
        // One more than asked for tells whether there is a next page, and where it begins.
        List<WindowStats> found = query.descending()
                ? descending(ticker, lowest, highest, query.size(), query.limit() + 1)
                : ascending(ticker, lowest, highest, query.size(), query.limit() + 1);
        if (found.size() <= query.limit()) {
            return Optional.of(new WindowPage(found, Optional.empty()));
        }
        long nextStart = found.get(query.limit()).window().start();
        return Optional.of(new WindowPage(
                found.subList(0, query.limit()), Optional.of(query.descending() ? nextStart + 1 : nextStart)));
    }

    /** The first {@code n} tickers of this span, which is whole panes. */
    public List<WindowStats> top(Ranking ranking, int n, Window window) {
        List<WindowStats> found = new ArrayList<>();
        if (rules.isExpired(window.end(), times.streamTime())) {
            return found;
        }
        forEachTicker(PaneKey.lowest(), ticker -> {
            PaneStats stats = null;
            try (KeyValueIterator<Bytes, byte[]> panes =
                    store.range(key(ticker, Math.max(0, window.start())), key(ticker, window.end() - 1))) {
                while (panes.hasNext()) {
                    PaneStats pane = PaneStatsSerde.deserialize(panes.next().value);
                    stats = stats == null ? pane : stats.merge(pane);
                }
            }
            if (stats != null) {
                found.add(answer(ticker, window, stats));
            }
            return true;
        });
        return ranking.first(n, found);
    }

    /** The highest event time of the partition's trades, milliseconds since the epoch; empty before the first. */
    public OptionalLong streamTime() {
        return times.streamTime() == WindowRules.NO_STREAM_TIME
                ? OptionalLong.empty()
                : OptionalLong.of(times.streamTime());
    }

    /** Calls back with each ticker from the key {@code from} on, until one is refused. */
    private void forEachTicker(byte[] from, Predicate<Ticker> each) {
        Bytes end = Bytes.wrap(PaneKey.highest());
        byte[] next = from;
        while (true) {
            Ticker ticker;
            try (KeyValueIterator<Bytes, byte[]> ahead = store.range(Bytes.wrap(next), end)) {
                if (!ahead.hasNext()) {
                    return;
                }
                ticker = PaneKey.parse(ahead.peekNextKey().get()).ticker();
            }
            if (!each.test(ticker)) {
                return;
            }
            next = PaneKey.lowestAfter(ticker);
        }
    }

    private List<WindowStats> ascending(Ticker ticker, long lowest, long highest, long size, int limit) {
        List<WindowStats> found = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> ahead =
                store.range(key(ticker, lowest), key(ticker, highest + size - rules.advance()))) {
            Deque<Pane> panes = new ArrayDeque<>();
            long next = lowest;
            while (found.size() < limit) {
                while (!panes.isEmpty() && panes.getFirst().start < next) {
                    panes.removeFirst();
                }
                if (panes.isEmpty()) {
                    if (!ahead.hasNext()) {
                        break;
                    }
                    panes.add(Pane.of(ahead.next()));
                }
                long start = Math.max(next, panes.getFirst().start - size + rules.advance());
                if (start > highest) {
                    break;
                }
                while (panes.getLast().start < start + size && ahead.hasNext()) {
                    panes.add(Pane.of(ahead.next()));
                }
                found.add(merged(ticker, Window.startingAt(start, size), panes));
                next = start + rules.advance();
            }
        }
        return found;
    }

    private List<WindowStats> descending(Ticker ticker, long lowest, long highest, long size, int limit) {
        List<WindowStats> found = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> back =
                store.reverseRange(key(ticker, lowest), key(ticker, highest + size - rules.advance()))) {
            Deque<Pane> panes = new ArrayDeque<>();
            long next = highest;
            while (found.size() < limit) {
                while (!panes.isEmpty() && panes.getFirst().start >= next + size) {
                    panes.removeFirst();
                }
                if (panes.isEmpty()) {
                    if (!back.hasNext()) {
                        break;
                    }
                    panes.add(Pane.of(back.next()));
                    continue;
                }
                long start = Math.min(next, panes.getFirst().start);
                if (start < lowest) {
                    break;
                }
                while (panes.getLast().start >= start && back.hasNext()) {
                    panes.add(Pane.of(back.next()));
                }
                found.add(merged(ticker, Window.startingAt(start, size), panes));
                next = start - rules.advance();
            }
        }
        return found;
    }

    private WindowStats merged(Ticker ticker, Window window, Collection<Pane> panes) {
        PaneStats stats = panes.stream()
                .filter(pane -> pane.start >= window.start() && pane.start < window.end())
                .map(Pane::stats)
                .reduce(PaneStats::merge)
                .orElseThrow();
        return answer(ticker, window, stats);
    }

    private WindowStats answer(Ticker ticker, Window window, PaneStats stats) {
        return new WindowStats(ticker, window, rules.isFinal(window.end(), times.closedTime()), stats);
    }

    private static Bytes key(Ticker ticker, long start) {
        return Bytes.wrap(new PaneKey(ticker, start).bytes());
    }

    private record Pane(long start, PaneStats stats) {
        static Pane of(KeyValue<Bytes, byte[]> entry) {
            return new Pane(PaneKey.startOf(entry.key.get()), PaneStatsSerde.deserialize(entry.value));
        }
    }
}
