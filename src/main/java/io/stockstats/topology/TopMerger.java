package io.stockstats.topology;

import io.stockstats.stats.TopRule;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.TopList;
import io.stockstats.wire.TopReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Merges the partitions' top lists into one for each window, and writes it when it has changed. There is one task of it,
 * since there is one partition of reports.
 *
 * <p>A partition's last word on a window stands: what it says of it later, when it reads trades again after a crash, is
 * a repetition, and could for a while be less. A window is complete when every partition has said its last word on it,
 * or has passed it without a trade in it.
 *
 * <p>What a commit must include: a list that was written may be lost in a crash, while the state that says that it was
 * written is not. So a task that starts writes all windows again that are in the store, and a complete window is taken
 * out of the store only when its list has surely been acknowledged.
 */
final class TopMerger implements Processor<Integer, TopReport, Long, TopList> {

    private static final Logger LOG = Logger.getLogger(TopMerger.class);
    private static final Duration TICK = Duration.ofMillis(100);

    /** Windows that cannot become complete are given up so many times the retention behind the newest one closed. */
    private static final int RETENTIONS_KEPT = 4;

    private final TopRule rule;
    private final long retention;
    private final IntSupplier partitionCount;

    private final NavigableSet<Long> windows = new TreeSet<>();
    private final Set<Long> unwritten = new TreeSet<>();

    /** When complete windows that are still in the store were written, by the wall clock. */
    private final Map<Long, Long> completeSince = new HashMap<>();

    private final Set<Long> acknowledgedAtNextTick = new HashSet<>();
    private final Map<Integer, TopReport.Progress> progress = new HashMap<>();
    private final Map<Integer, Long> lastHeard = new HashMap<>();
    private int partitions;
    private long forgottenUpTo;
    private long startedAt;
    private long nextCleaning;
    private long commitInterval;
    private boolean saidThatSomeStayIncomplete;

    private ProcessorContext<Long, TopList> context;
    private TopStore store;
    private Cancellable ticks;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    TopMerger(TopRule rule, long retention, IntSupplier partitionCount) {
        this.rule = rule;
        this.retention = retention;
        this.partitionCount = partitionCount;
    }

    @Override
    public void init(ProcessorContext<Long, TopList> newContext) {
        context = newContext;
        store = new TopStore(context.getStateStore(TopStore.NAME));
        store.keepOnly(rule);
        windows.clear();
        windows.addAll(store.windows());
        unwritten.clear();
        unwritten.addAll(windows);
        completeSince.clear();
        acknowledgedAtNextTick.clear();
        progress.clear();
        progress.putAll(store.progress());
        lastHeard.clear();
        partitions = store.partitions();
        forgottenUpTo = store.forgottenUpTo();
        startedAt = context.currentSystemTimeMs();
        nextCleaning = startedAt;
        commitInterval =
                Long.parseLong(String.valueOf(context.appConfigs().get(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG)));
        ticks = context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<Integer, TopReport> record) {
        writeUnwritten();
        TopReport report = record.value();
        if (!report.rule().equals(rule)) {
            // Left from before the settings were changed.
            return;
        }
        lastHeard.put(report.partition(), context.currentSystemTimeMs());
        report.fold(this::take, this::take);
    }

    private @Nullable Void take(TopReport.Partial list) {
        long start = list.windowStart();
        boolean known = windows.contains(start);
        if (completeSince.containsKey(start) || (!known && start <= forgottenUpTo)) {
            return null;
        }
        Map<Integer, TopReport.Partial> lists = known ? store.lists(start) : new TreeMap<>();
        TopReport.Partial before = lists.get(list.partition());
        if (before != null && before.closed()) {
            return null;
        }
        TopList written = merge(start, lists);
        store.put(list);
        windows.add(start);
        lists.put(list.partition(), list);
        TopList merged = merge(start, lists);
        if (!known || !merged.equals(written)) {
            write(merged);
        }
        return null;
    }

    private @Nullable Void take(TopReport.Progress news) {
        TopReport.Progress before = progress.get(news.partition());
        TopReport.Progress after = before == null ? news : after(before, news);
        if (after.equals(before)) {
            return null;
        }
        store.put(after);
        progress.put(news.partition(), after);
        long unchanged = before == null || before.from() != after.from() ? 0 : before.to();
        for (Long start : List.copyOf(windows.subSet(unchanged, true, Math.max(unchanged, after.to()), false))) {
            if (!completeSince.containsKey(start)) {
                TopList merged = merge(start, store.lists(start));
                if (merged.complete()) {
                    write(merged);
                }
            }
        }
        return null;
    }

    /**
     * A task that starts goes on where the one before it stopped, or repeats. Where it begins later, lists were switched
     * off in between: of the windows that it left out, and of all before, nothing can be said for sure.
     */
    private static TopReport.Progress after(TopReport.Progress before, TopReport.Progress news) {
        return news.from() > before.to()
                ? news
                : new TopReport.Progress(
                        before.rule(), before.partition(), before.from(), Math.max(before.to(), news.to()));
    }

    private void tick(long now) {
        int count = partitionCount.getAsInt();
        if (count > 0 && count != partitions) {
            partitions = count;
            store.putPartitions(count);
            unwritten.addAll(windows);
        }
        writeUnwritten();
        forgetComplete(now);
        if (now >= nextCleaning) {
            giveUp(now);
            nextCleaning = now + Math.max(TICK.toMillis(), retention / 8);
        }
    }

    private void writeUnwritten() {
        for (Long start : List.copyOf(unwritten)) {
            write(merge(start, store.lists(start)));
        }
    }

    private void write(TopList list) {
        long start = list.window().start();
        unwritten.remove(start);
        if (list.complete()) {
            completeSince.put(start, context.currentSystemTimeMs());
            acknowledgedAtNextTick.remove(start);
        }
        context.forward(new Record<>(start, list, list.newestTrade()));
    }

    private TopList merge(long start, Map<Integer, TopReport.Partial> lists) {
        boolean complete = isComplete(start, lists);
        // A ticker lies in one partition; where its producers disagree, the one with the newest trade speaks.
        Map<Ticker, WindowStats> tickers = new HashMap<>();
        lists.values()
                .forEach(list -> list.top().forEach(each -> tickers.merge(each.ticker(), each, TopMerger::newer)));
        Window window = rule.startingAt(start);
        List<WindowStats> top = rule.first(tickers.values()).stream()
                .map(each -> new WindowStats(each.ticker(), window, complete, each.stats()))
                .toList();
        return new TopList(window, rule.ranking(), top, complete);
    }

    private static WindowStats newer(WindowStats a, WindowStats b) {
        return a.stats().last().eventNanos() >= b.stats().last().eventNanos() ? a : b;
    }

    private boolean isComplete(long start, Map<Integer, TopReport.Partial> lists) {
        for (int partition = 0; partition < partitions; partition++) {
            TopReport.Partial list = lists.get(partition);
            TopReport.Progress said = progress.get(partition);
            boolean done = list != null ? list.closed() : said != null && said.from() <= start && start < said.to();
            if (!done) {
                return false;
            }
        }
        return partitions > 0;
    }

    /**
     * Takes complete windows out of the store. At the end of each round of the stream's thread, after the tick, it
     * commits if its interval has passed, and a commit waits for all that was written before. So at the tick after the
     * one at which the interval had passed since the window was written, it has been acknowledged.
     */
    private void forgetComplete(long now) {
        acknowledgedAtNextTick.forEach(this::forget);
        acknowledgedAtNextTick.clear();
        completeSince.forEach((start, since) -> {
            if (now - since > commitInterval) {
                acknowledgedAtNextTick.add(start);
            }
        });
    }

    private void forget(Long start) {
        store.forget(start);
        forgottenUpTo = store.forgottenUpTo();
        windows.remove(start);
        completeSince.remove(start);
    }

    /** Lets go of windows that wait for partitions in vain, far behind the others, so that the store does not grow. */
    private void giveUp(long now) {
        long newest = progress.values().stream()
                .mapToLong(TopReport.Progress::to)
                .max()
                .orElse(0);
        List<Long> old = new ArrayList<>(windows.headSet(newest - RETENTIONS_KEPT * retention - rule.window(), true));
        old.removeIf(start -> completeSince.containsKey(start) || isAwaited(start, now));
        if (!old.isEmpty()) {
            LOG.logf(
                    saidThatSomeStayIncomplete ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "%d top lists, of windows that start from %d to %d, stay incomplete: partitions without trades, or"
                            + " lists that were switched on in between",
                    old.size(),
                    old.get(0),
                    old.get(old.size() - 1));
            saidThatSomeStayIncomplete = true;
            old.forEach(this::forget);
        }
    }

    /** Whether a partition that has not passed the window is on its way: behind, but not silent. */
    private boolean isAwaited(long start, long now) {
        for (int partition = 0; partition < partitions; partition++) {
            TopReport.Progress said = progress.get(partition);
            if ((said == null || said.to() <= start)
                    && now - lastHeard.getOrDefault(partition, startedAt) < retention) {
                return true;
            }
        }
        return partitions == 0;
    }

    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel();
        }
    }
}
