package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TopPart;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one partition's part of the top lists, and sends it on when it changes. It follows {@link PanesProcessor} in the
 * same task, and reads the panes that this one has just written.
 *
 * <p>As there, what waits for the next emission is only in memory. A window's part is sent for the last time while the
 * trade is processed that closes the window; a task that starts sends the parts of all open windows again.
 */
final class TopPartsProcessor implements Processor<Ticker, Trade, Integer, TopPart> {

    private static final long SHORTEST_TICK_MS = 10;

    private final TopSettings top;
    private final WindowRules rules;
    private final Duration emitInterval;
    private final PartitionTimes partitionTimes;
    private final NavigableMap<Long, OpenWindow> open = new TreeMap<>();
    private long closedUntil = Long.MIN_VALUE;
    private int partition;

    private ProcessorContext<Integer, TopPart> context;
    private PaneStore store;
    private Cancellable ticks;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    TopPartsProcessor(TopSettings top, TopologySettings settings, PartitionTimes partitionTimes) {
        this.top = top;
        this.rules = settings.rules();
        this.emitInterval = settings.emitInterval();
        this.partitionTimes = partitionTimes;
    }

    /** One window that is not closed. */
    private static final class OpenWindow {
        private final Map<Ticker, WindowStats> tickers = new HashMap<>();
        private final Set<Ticker> changed = new HashSet<>();
        private @Nullable List<WindowStats> sent;
    }

    @Override
    public void init(ProcessorContext<Integer, TopPart> newContext) {
        open.clear();
        closedUntil = Long.MIN_VALUE;
        context = newContext;
        partition = context.taskId().partition();
        store = new PaneStore(context.getStateStore(PaneStore.NAME));
        readOpenWindows();
        long tick = Math.max(SHORTEST_TICK_MS, emitInterval.toMillis());
        ticks = context.schedule(Duration.ofMillis(tick), PunctuationType.WALL_CLOCK_TIME, now -> emitChanged());
    }

    private void readOpenWindows() {
        long closed = context.currentStreamTimeMs();
        store.forEachTicker((ticker, firstPane, lastPane, last) -> {
            for (long start = top.startOf(lastPane);
                    start + top.window() > firstPane && (closed < 0 || !rules.isFinal(start + top.window(), closed));
                    start -= top.window()) {
                note(ticker, start);
            }
        });
    }

    @Override
    public void process(Record<Ticker, Trade> record) {
        closeWindows();
        long start = top.startOf(record.value().eventMillis());
        if (start + top.window() > closedUntil) {
            note(record.value().ticker(), start);
        }
    }

    private void note(Ticker ticker, long start) {
        open.computeIfAbsent(start, any -> new OpenWindow()).changed.add(ticker);
    }

    /** Sends what closes, and how far the partition is. */
    private void closeWindows() {
        PartitionTimes.Times times = partitionTimes.of(partition);
        if (times == null || times.closedTime() < rules.grace()) {
            return;
        }
        long now = top.startOf(times.closedTime() - rules.grace());
        if (now <= closedUntil) {
            return;
        }
        NavigableMap<Long, OpenWindow> closing = open.headMap(now - top.window(), true);
        closing.forEach(this::send);
        closing.clear();
        closedUntil = now;
        forward(new TopPart(partition, closedUntil, TopPart.NO_WINDOW, List.of()), times.closedTime());
    }

    private void emitChanged() {
        closeWindows();
        open.forEach(this::send);
    }

    private void send(long start, OpenWindow window) {
        if (window.changed.isEmpty()) {
            return;
        }
        Window span = Window.startingAt(start, top.window());
        for (Ticker ticker : window.changed) {
            store.panes(ticker, span.start(), span.end()).values().stream()
                    .reduce(PaneStats::merge)
                    .ifPresent(stats -> window.tickers.put(ticker, new WindowStats(ticker, span, false, stats)));
        }
        window.changed.clear();
        List<WindowStats> first = top.ranking().first(top.n(), window.tickers.values());
        if (!window.tickers.isEmpty() && !first.equals(window.sent)) {
            window.sent = first;
            forward(
                    new TopPart(partition, closedUntil, start, first),
                    first.stream()
                            .mapToLong(each -> each.stats().last().eventMillis())
                            .max()
                            .orElse(start));
        }
    }

    private void forward(TopPart part, long eventTime) {
        context.forward(new Record<>(partition, part, Math.max(0, eventTime)));
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
        }
    }
}
