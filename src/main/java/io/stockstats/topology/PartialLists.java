package io.stockstats.topology;

import io.stockstats.stats.TopRule;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.TopReport;
import io.stockstats.wire.WindowKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Keeps one partition's top lists of the windows that still take trades. It gets the new state of each pane in which
 * {@link PanesProcessor} counted a trade, as a window of one advance, and reports to {@link TopMerger}.
 *
 * <p>What a commit must include is as in {@link PanesProcessor}: a window's last list is sent while the trade is
 * processed that closed it. Changes before that wait in memory for the next emission; therefore a task that starts takes
 * up every window from the store that is not closed at the committed stream time, and sends it again.
 */
final class PartialLists implements Processor<WindowKey, WindowStats, Integer, TopReport> {

    private static final int TICKS_PER_INTERVAL = 4;
    private static final long SHORTEST_TICK_MS = 10;
    private static final long LONGEST_TICK_MS = 100;

    private final WindowRules rules;
    private final TopRule rule;
    private final boolean mayBeIdle;
    private final long emitInterval;

    private final NavigableMap<Long, OpenTopList> open = new TreeMap<>();

    /** Windows that start before this were closed when the task started, and are not spoken of. */
    private long from;

    /** Windows that start before this are closed. */
    private long firstOpen;

    private boolean toldProgress;
    private long closedByIdleness;
    private long lastEmission;

    private ProcessorContext<Integer, TopReport> context;
    private PaneStore store;
    private Cancellable ticks;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    PartialLists(TopologySettings settings, TopRule rule) {
        this.rules = settings.rules();
        this.rule = rule;
        this.mayBeIdle = settings.idle().isPresent();
        this.emitInterval = settings.emitInterval().toMillis();
    }

    @Override
    public void init(ProcessorContext<Integer, TopReport> newContext) {
        open.clear();
        toldProgress = false;
        lastEmission = Long.MIN_VALUE;
        context = newContext;
        store = new PaneStore(
                context.<CommitAwareStore>getStateStore(PaneStore.NAME).wrapped());
        closedByIdleness = store.closedTimeOr(WindowRules.NO_STREAM_TIME);
        readPanes(context.currentStreamTimeMs());
        long tick = Math.min(LONGEST_TICK_MS, Math.max(SHORTEST_TICK_MS, emitInterval / TICKS_PER_INTERVAL));
        ticks = context.schedule(Duration.ofMillis(tick), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    /**
     * Takes up the windows that are not closed at the committed stream time. Where nothing was committed all trades are
     * read again, whatever the store holds, and all windows spoken of.
     */
    private void readPanes(long streamTime) {
        Map<Ticker, Long> lastPanes = new HashMap<>();
        long[] newestTrade = {WindowRules.NO_STREAM_TIME};
        store.forEachTicker((ticker, firstPane, lastPane, last) -> {
            lastPanes.put(ticker, lastPane);
            newestTrade[0] = Math.max(newestTrade[0], last.last().eventMillis());
        });
        from = streamTime < 0 ? 0 : firstOpenAt(streamTime);
        firstOpen = from;
        long panesFrom = firstOpenAt(streamTime < 0 ? newestTrade[0] : streamTime);
        lastPanes.forEach((ticker, lastPane) -> store.panes(ticker, panesFrom, lastPane + rules.advance())
                .forEach((start, pane) -> listAt(start).put(ticker, start, pane)));
    }

    private long firstOpenAt(long time) {
        return Math.max(0, rule.startOf(time - rules.grace()));
    }

    private OpenTopList listAt(long paneStart) {
        return open.computeIfAbsent(rule.startOf(paneStart), start -> new OpenTopList(rule, start));
    }

    @Override
    public void process(Record<WindowKey, WindowStats> record) {
        advance();
        Window pane = record.value().window();
        listAt(pane.start())
                .put(record.value().ticker(), pane.start(), record.value().stats());
    }

    private void tick(long now) {
        if (mayBeIdle) {
            closedByIdleness = store.closedTimeOr(closedByIdleness);
        }
        advance();
        if (now - emitInterval >= lastEmission) {
            boolean emitted = false;
            for (OpenTopList list : open.values()) {
                if (list.drainChanged()) {
                    List<WindowStats> top = list.top();
                    if (list.isNews(top)) {
                        tell(list, false, top);
                        emitted = true;
                    }
                }
            }
            if (emitted) {
                lastEmission = now;
            }
        }
    }

    /** Sends the last word on windows that are closed by now, and then that they are. */
    private void advance() {
        long time = Math.max(context.currentStreamTimeMs(), closedByIdleness);
        long nowOpen = Math.max(firstOpen, firstOpenAt(time));
        if (nowOpen == firstOpen && toldProgress) {
            return;
        }
        NavigableMap<Long, OpenTopList> closed = open.headMap(nowOpen, false);
        closed.values().forEach(list -> tell(list, true, list.top()));
        closed.clear();
        firstOpen = nowOpen;
        toldProgress = true;
        send(new TopReport.Progress(rule, partition(), from, firstOpen), Math.max(0, context.currentStreamTimeMs()));
    }

    private void tell(OpenTopList list, boolean closed, List<WindowStats> top) {
        long newestTrade = top.stream()
                .mapToLong(each -> each.stats().last().eventMillis())
                .max()
                .orElse(list.start());
        send(new TopReport.Partial(rule, partition(), list.start(), closed, top), newestTrade);
    }

    private void send(TopReport report, long timestamp) {
        context.forward(new Record<>(report.partition(), report, timestamp));
    }

    private int partition() {
        return context.taskId().partition();
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
        }
    }
}
