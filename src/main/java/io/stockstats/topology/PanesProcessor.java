package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.WindowKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jboss.logging.Logger;

/**
 * Counts each trade in its pane and emits the windows that are merged from panes.
 *
 * <p>What a commit must include: every trade's pane is in the logged store by then (see {@link CommitAwareStore}), and a
 * window that becomes final is emitted while the trade is processed that made it so. What waits for the next emission
 * is only in memory; therefore a task that starts emits every window again that is not final at the
 * committed stream time. Stream time is the task's, which Kafka Streams commits with the offsets: the state may be
 * ahead of the commit after a crash, and trades judged by it would be late when they are read again.
 */
final class PanesProcessor implements Processor<Ticker, Trade, WindowKey, WindowStats> {

    private static final Logger LOG = Logger.getLogger(PanesProcessor.class);

    /** How many tickers one tick looks at for expired panes: bounds how long the stream stands still for it. */
    private static final int SWEPT_PER_TICK = 256;

    /** How many panes one tick deletes; after a night's gap all panes of all tickers are expired at once. */
    private static final int DELETED_PER_TICK = 4_096;

    private static final int TICKS_PER_INTERVAL = 4;
    private static final long SHORTEST_TICK_MS = 10;

    /** Sweeping must keep up with the trades, and idleness be seen, however seldom windows are emitted. */
    private static final long LONGEST_TICK_MS = 100;

    /** How much later than the stream, at most, a copy of the store may believe it to be, by the wall clock. */
    private static final long TELL_COPIES_MS = 1_000;

    /** How long a pane that changed waits to be written while few do. */
    private static final long WRITE_AGAIN_MS = 10;

    /** For each so many panes written at once another millisecond is waited: ten times what writing them takes. */
    private static final int WRITTEN_PER_MS = 25;

    /** For each so many updates emitted at once another millisecond is waited: ten times what emitting them takes. */
    private static final int EMITTED_PER_MS = 10;

    private final TopologySettings settings;
    private final WindowRules rules;
    private final StreamCounters counters;
    private final PartitionTimes partitionTimes;
    private final LatestWindows latestWindows;

    private final Map<Ticker, TickerPanes> tickers = new HashMap<>();
    private final Set<TickerPanes> open = new LinkedHashSet<>();
    private final List<TickerPanes> changed = new ArrayList<>();
    private final List<TickerPanes> unwritten = new ArrayList<>();
    private final Deque<Ticker> unswept = new ArrayDeque<>();

    /** Whose latest window is to be handed over at the next tick; empty while {@link #handingOver} is false. */
    private final Set<TickerPanes> untold = new LinkedHashSet<>();

    /** Whether the last tick found that latest windows are wanted. */
    private boolean handingOver;

    private long writeAgainAt = Long.MIN_VALUE;
    private long sweepAgainAt = Long.MIN_VALUE;
    private long emitAgainAt = Long.MIN_VALUE;
    private long lastTrade = Long.MIN_VALUE;

    /** Until when idle partitions' windows were closed; survives restarts in the store. */
    private long closedByIdleness;

    /** All windows that are final at this time have been emitted so. */
    private long emittedFinalAt;

    private long toldCopies;
    private long tellCopiesAt;

    private ProcessorContext<WindowKey, WindowStats> context;
    private PaneStore store;
    private PartitionTimes.Entry times;
    private Cancellable ticks;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    PanesProcessor(
            TopologySettings settings,
            StreamCounters counters,
            PartitionTimes partitionTimes,
            LatestWindows latestWindows) {
        this.settings = settings;
        this.rules = settings.rules();
        this.counters = counters;
        this.partitionTimes = partitionTimes;
        this.latestWindows = latestWindows;
    }

    @Override
    public void init(ProcessorContext<WindowKey, WindowStats> newContext) {
        forget();
        context = newContext;
        CommitAwareStore state = context.getStateStore(PaneStore.NAME);
        state.beforeCommit(this::write);
        store = new PaneStore(state.wrapped());
        store.check(rules.advance());
        closedByIdleness = store.closedTimeOr(WindowRules.NO_STREAM_TIME);
        long streamTime = context.currentStreamTimeMs();
        emittedFinalAt = streamTime;
        long newestTrade = readTickers(streamTime);
        times = partitionTimes.claim(context.taskId().partition(), state);
        publishTimes(newestTrade);
        long tick = Math.min(
                LONGEST_TICK_MS,
                Math.max(SHORTEST_TICK_MS, settings.emitInterval().toMillis() / TICKS_PER_INTERVAL));
        ticks = context.schedule(Duration.ofMillis(tick), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    /** A task that is revived upon restored state is given the same processor, closed and initialised again. */
    private void forget() {
        tickers.clear();
        open.clear();
        changed.clear();
        unwritten.clear();
        writeAgainAt = Long.MIN_VALUE;
        untold.clear();
        handingOver = false;
        unswept.clear();
        sweepAgainAt = Long.MIN_VALUE;
        emitAgainAt = Long.MIN_VALUE;
        lastTrade = Long.MIN_VALUE;
        toldCopies = WindowRules.NO_STREAM_TIME;
        tellCopiesAt = Long.MIN_VALUE;
    }

    /** Finds what the store holds, and takes up the panes of windows that are not final. */
    private long readTickers(long streamTime) {
        long[] newestTrade = {WindowRules.NO_STREAM_TIME};
        store.forEachTicker((ticker, firstPane, lastPane, last) -> {
            tickers.put(ticker, new TickerPanes(ticker, lastPane + rules.advance(), firstPane));
            newestTrade[0] = Math.max(newestTrade[0], last.last().eventMillis());
        });
        long horizon = streamTime >= 0 ? streamTime : newestTrade[0];
        long from = rules.paneStart(horizon - rules.grace() - rules.size());
        for (TickerPanes panes : tickers.values()) {
            if (from < panes.completeFrom()) {
                complete(panes, from);
                if (!panes.isEmpty()) {
                    open.add(panes);
                    panes.markAllChanged();
                    changed.add(panes);
                }
            }
        }
        return newestTrade[0];
    }

    private void complete(TickerPanes panes, long from) {
        panes.completeFrom(from, store.panes(panes.ticker(), from, panes.completeFrom()));
    }

    @Override
    public void process(Record<Ticker, Trade> record) {
        Trade trade = record.value();
        advance();
        lastTrade = context.currentSystemTimeMs();
        long pane = rules.paneStart(trade.eventMillis());
        if (rules.isLate(pane, closedTime())) {
            counters.late();
            if (LOG.isDebugEnabled()) {
                LOG.debugf(
                        "late trade: ticker=%s eventTime=%d streamTime=%d partition=%d",
                        trade.ticker(),
                        trade.eventMillis(),
                        context.currentStreamTimeMs(),
                        context.taskId().partition());
            }
            return;
        }
        TickerPanes panes = tickers.computeIfAbsent(
                trade.ticker(), ticker -> new TickerPanes(ticker, Long.MIN_VALUE, Long.MAX_VALUE));
        if (rules.earliestWindowStart(pane) < panes.completeFrom()) {
            complete(panes, rules.earliestWindowStart(pane));
        }
        long arrival = context.recordMetadata().orElseThrow().offset();
        if (panes.isEmpty()) {
            open.add(panes);
        }
        if (!panes.isChanged()) {
            changed.add(panes);
        }
        if (!panes.isUnwritten()) {
            unwritten.add(panes);
        }
        PaneStats counted = panes.add(trade, arrival, pane);
        if (lastTrade >= writeAgainAt) {
            write();
        }
        if (handingOver) {
            untold.add(panes);
        }
        counters.aggregated();
        if (settings.top().isPresent()) {
            // A pane is a window of one advance.
            WindowStats asWindow =
                    new WindowStats(trade.ticker(), Window.startingAt(pane, rules.advance()), false, counted);
            context.forward(
                    new Record<>(new WindowKey(trade.ticker(), pane), asWindow, record.timestamp()),
                    StatsTopology.PARTIAL_LISTS);
        }
    }

    /** Takes note of stream time, and emits what it made final. */
    private void advance() {
        publishTimes(times.times().streamTime());
        long now = closedTime();
        if (now <= emittedFinalAt) {
            return;
        }
        if (Math.floorDiv(now - rules.grace(), rules.advance())
                != Math.floorDiv(emittedFinalAt - rules.grace(), rules.advance())) {
            for (var each = open.iterator(); each.hasNext(); ) {
                TickerPanes panes = each.next();
                panes.forEachFinalSince(
                        emittedFinalAt, now, rules, (window, stats) -> emit(panes.ticker(), window, stats, true));
                long latestEnd = panes.newest() + rules.advance();
                if (handingOver && rules.isFinal(latestEnd, now) && !rules.isFinal(latestEnd, emittedFinalAt)) {
                    // Now, because its panes are about to be forgotten.
                    handOver(panes, now);
                    untold.remove(panes);
                }
                panes.forgetFinal(
                        rules, now, (start, stats) -> store.put(panes.ticker(), start, stats, rules.advance()));
                if (panes.isEmpty()) {
                    each.remove();
                }
            }
        }
        emittedFinalAt = now;
    }

    /**
     * Writes to the store what waits for it. That is done before each commit, so that a commit includes every trade's
     * pane, and as often between commits as queries may want to see it: while few panes change, about every
     * {@value #WRITE_AGAIN_MS} ms; while many do, so seldom that it takes about a tenth of the thread's time.
     */
    private void write() {
        int written = 0;
        for (TickerPanes panes : unwritten) {
            written += panes.drainUnwritten((start, stats) -> store.put(panes.ticker(), start, stats, rules.advance()));
        }
        unwritten.clear();
        writeAgainAt = context.currentSystemTimeMs() + WRITE_AGAIN_MS + written / WRITTEN_PER_MS;
    }

    /** Stream time, or later where a silent partition's windows were closed. */
    private long closedTime() {
        return Math.max(context.currentStreamTimeMs(), closedByIdleness);
    }

    /**
     * Tells queries how far this partition is. A trade in the state counts even where the commit does not know it yet
     * (after a crash), so that what had expired stays so; finality goes by the commit alone.
     */
    private void publishTimes(long newestKnownTrade) {
        var current = times.times();
        long streamTime = Math.max(context.currentStreamTimeMs(), newestKnownTrade);
        long closed = closedTime();
        if (current.streamTime() != streamTime || current.closedTime() != closed) {
            times.set(new PartitionTimes.Times(streamTime, closed));
        }
    }

    private void tick(long now) {
        if (!unwritten.isEmpty() && now >= writeAgainAt) {
            write();
        }
        closeIfIdle(now);
        advance();
        if (settings.emit() == StatsConfig.Emit.UPDATES && now >= emitAgainAt && !changed.isEmpty()) {
            emitAgainAt = now + Math.max(settings.emitInterval().toMillis(), emitChanged() / EMITTED_PER_MS);
        }
        tellCopies(now);
        handOverLatest();
        sweep();
    }

    /** Tells of latest windows whoever wants to know, however seldom windows are emitted. */
    private void handOverLatest() {
        boolean wanted = latestWindows.wanted();
        if (wanted) {
            if (!handingOver) {
                // Trades were not noted until now.
                untold.addAll(open);
            }
            long time = closedTime();
            untold.forEach(panes -> handOver(panes, time));
        }
        untold.clear();
        handingOver = wanted;
    }

    private void handOver(TickerPanes panes, long time) {
        Window window = Window.endingAt(panes.newest() + rules.advance(), rules.size());
        // Of a window that was final before, not all panes are in memory any more.
        if (panes.completeFrom() <= window.start()) {
            latestWindows.changed(
                    new WindowStats(panes.ticker(), window, rules.isFinal(window.end(), time), panes.merged(window)));
        }
    }

    private void tellCopies(long now) {
        long streamTime = context.currentStreamTimeMs();
        if (streamTime > toldCopies && now >= tellCopiesAt) {
            write();
            store.putStreamTime(streamTime);
            toldCopies = streamTime;
            tellCopiesAt = now + TELL_COPIES_MS;
        }
    }

    private void closeIfIdle(long now) {
        if (settings.idle().isEmpty()) {
            return;
        }
        if (lastTrade == Long.MIN_VALUE) {
            lastTrade = now;
        }
        if (open.isEmpty() || now - lastTrade < settings.idle().get().toMillis()) {
            return;
        }
        long newestPane = open.stream().mapToLong(TickerPanes::newest).max().orElseThrow();
        long newestEnd = settings.top()
                .map(top -> top.rule().startOf(newestPane) + top.rule().window())
                .map(end -> Math.max(end, newestPane + rules.size()))
                .orElse(newestPane + rules.size());
        long closed = newestEnd + rules.grace();
        if (closed > closedByIdleness) {
            LOG.infof(
                    "partition %d was silent for %s: its open windows are closed, up to %d",
                    context.taskId().partition(), settings.idle().get(), newestEnd);
            closedByIdleness = closed;
            write();
            store.putClosedTime(closed);
        }
    }

    /** Returns how many windows were emitted. */
    private int emitChanged() {
        long time = closedTime();
        int emitted = 0;
        for (TickerPanes panes : changed) {
            emitted += panes.drainChanged(rules, time, (window, stats) -> emit(panes.ticker(), window, stats, false));
        }
        changed.clear();
        return emitted;
    }

    private void emit(Ticker ticker, Window window, PaneStats stats, boolean isFinal) {
        counters.emitted();
        context.forward(
                new Record<>(
                        new WindowKey(ticker, window.start()),
                        new WindowStats(ticker, window, isFinal, stats),
                        stats.last().eventMillis()),
                StatsTopology.OUTPUT);
    }

    /** Deletes panes that no answer can need any more, some tickers at a time. */
    private void sweep() {
        long streamTime = context.currentStreamTimeMs();
        if (unswept.isEmpty() && streamTime >= sweepAgainAt) {
            for (TickerPanes panes : tickers.values()) {
                if (rules.isPaneExpired(panes.oldest(), streamTime)) {
                    unswept.add(panes.ticker());
                }
            }
            sweepAgainAt = streamTime + Math.max(rules.advance(), rules.retention() / 8);
        }
        if (!unswept.isEmpty()) {
            // A ticker without a pane in the store is forgotten.
            write();
        }
        int budget = DELETED_PER_TICK;
        for (int i = 0; i < SWEPT_PER_TICK && budget > 0 && !unswept.isEmpty(); i++) {
            TickerPanes panes = tickers.get(unswept.remove());
            if (panes == null) {
                continue;
            }
            PaneStore.Deleted deleted = store.deleteWhile(
                    panes.ticker(), panes.oldest(), pane -> rules.isPaneExpired(pane, streamTime), budget);
            budget -= deleted.panes();
            panes.oldest(deleted.oldest());
            if (deleted.oldest() == Long.MAX_VALUE) {
                tickers.remove(panes.ticker());
            } else if (rules.isPaneExpired(deleted.oldest(), streamTime)) {
                unswept.addFirst(panes.ticker());
            }
        }
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
        }
        if (times != null) {
            times.release();
        }
    }
}
