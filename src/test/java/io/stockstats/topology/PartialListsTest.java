package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TopReport;
import io.stockstats.wire.WindowKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task of the first stage tells, above all when it starts upon state. */
class PartialListsTest {

    /** A multiple of 10 s. */
    private static final long T = 1_764_512_400_000L;

    private static final long GRACE = 30_000;
    private static final long NONE = WindowRules.NO_STREAM_TIME;
    private static final int PARTITION = 3;
    private static final TopRule RULE = new TopRule(new Ranking(Ranking.By.MIN_PRICE, false), 2, 10_000);

    @TempDir
    Path directory;

    @Test
    void aNewPartitionSpeaksOfAllWindows() {
        // Given
        Task task = new Task(null, NONE);

        // When
        task.ticks(1);
        task.trade("A", 1, T);

        // Then: windows that start before T - 30000 are closed at T, as none of them holds a trade
        assertEquals(List.of("progress 0..0", "progress 0.." + (T - GRACE)), task.told());
    }

    @Test
    void aWindowsLastListIsToldBeforeTheProgressThatClosesIt() {
        // Given
        Task task = new Task(null, NONE);
        task.trade("A", 1, T);
        task.trade("B", 2, T + 10_000);
        task.told();

        // When
        task.trade("C", 3, T + 20_000 + GRACE);

        // Then
        assertEquals(
                List.of("last " + T + " A 1", "last " + (T + 10_000) + " B 2", "progress 0.." + (T + 20_000)),
                task.told());
    }

    @Test
    void anUnchangedListIsToldOnceWhileItsWindowIsOpen() {
        // Given
        Task task = new Task(null, NONE);
        task.trade("A", 1, T);
        task.trade("B", 2, T);
        task.ticks(10);
        task.told();

        // When: dearer than both
        task.trade("C", 3, T);
        task.ticks(10);

        // Then
        assertEquals(List.of(), task.told());
    }

    @Test
    void aTaskThatStartsTellsEveryWindowAgainThatIsNotClosedAtTheCommit() {
        // Given: trades in three windows, the first of which is closed
        Task before = new Task(null, NONE);
        before.trade("A", 1, T);
        before.trade("A", 2, T + 10_000);
        before.trade("A", 3, T + 10_000 + 2_500);
        before.trade("B", 4, T + 10_000 + GRACE);

        // When
        Task after = new Task(before, T + 10_000 + GRACE);
        after.ticks(5);

        // Then
        assertEquals(
                List.of(
                        "progress " + (T + 10_000) + ".." + (T + 10_000),
                        "open " + (T + 10_000) + " A 2",
                        "open " + (T + 40_000) + " B 4"),
                after.told());
    }

    @Test
    void tradesThatFollowCountOnWhatTheTaskBeforeHad() {
        // Given
        Task before = new Task(null, NONE);
        before.trade("A", 5, T);
        before.trade("B", 7, T + 3_000);
        before.ticks(5);

        // When: neither in the newest pane nor in a new one
        Task after = new Task(before, T + 3_000);
        after.trade("A", 1, T);
        after.trade("A", 6, T + 1_000);
        after.ticks(5);

        // Then
        List<String> told = after.told();
        assertEquals("open " + T + " A 1, B 7", told.get(told.size() - 1));
        assertEquals(3, after.lastTop.get(0).stats().count());
    }

    @Test
    void aWindowThatTheLastTaskOnlyHadInMemoryIsClosedByTheFirstTrade() {
        // Given: nothing told yet
        Task before = new Task(null, NONE);
        before.trade("A", 1, T);

        // When
        Task after = new Task(before, T);
        after.trade("B", 2, T + 10_000 + GRACE);

        // Then
        assertEquals(List.of("last " + T + " A 1", "progress " + (T - GRACE) + ".." + (T + 10_000)), after.told());
    }

    @Test
    void whatIdlenessClosedJustBeforeACrashIsToldByTheNextTask() {
        // Given: the store says that windows up to T + 10000 are closed, which nobody was told
        Task before = new Task(null, NONE);
        before.trade("A", 1, T);
        before.panes.putClosedTime(T + 10_000 + GRACE);

        // When
        Task after = new Task(before, T);
        after.ticks(1);

        // Then
        assertEquals(List.of("last " + T + " A 1", "progress " + (T - GRACE) + ".." + (T + 10_000)), after.told());
    }

    @Test
    void whereNothingWasCommittedAllWindowsAreSpokenOfAgain() {
        // Given
        Task before = new Task(null, NONE);
        before.trade("A", 1, T);
        before.trade("A", 2, T + 100_000);

        // When: trades are read from the beginning
        Task after = new Task(before, NONE);
        after.trade("A", 1, T);
        after.told();
        after.trade("A", 2, T + 100_000);

        // Then: the pane counts twice, as after any crash with at-least-once
        assertEquals(List.of("last " + T + " A 1", "progress 0.." + (T + 70_000)), after.told());
    }

    /** The processor with the store of panes, to which the test writes as the processor before it would. */
    private final class Task {
        final CommitAwareStore store;
        final PaneStore panes;
        final MockProcessorContext<Integer, TopReport> context;
        final PartialLists lists;
        List<WindowStats> lastTop = List.of();
        long now = 1_764_600_000_000L;
        long offset;

        Task(@Nullable Task before, long streamTime) {
            Properties properties = new Properties();
            properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "stockstats");
            properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "");
            context = new MockProcessorContext<>(properties, new TaskId(0, PARTITION), directory.toFile());
            if (before == null) {
                store = PaneStore.builder(StatsConfig.Store.IN_MEMORY)
                        .withLoggingDisabled()
                        .build();
                store.init(context.getStateStoreContext(), store);
            } else {
                before.lists.close();
                store = before.store;
                offset = before.offset;
            }
            panes = new PaneStore(store.wrapped());
            context.addStateStore(store);
            context.setCurrentSystemTimeMs(now);
            context.setCurrentStreamTimeMs(streamTime);
            lists = new PartialLists(new SettingsBuilder().top(RULE).build(), RULE);
            lists.init(context);
        }

        void trade(String symbol, double price, long at) {
            Ticker ticker = new Ticker(symbol);
            long start = at - at % 1_000;
            PaneStats one = PaneStats.of(new Trade(ticker, price, 1, null, at * 1_000_000), offset++);
            PaneStats former = panes.panes(ticker, start, start + 1).get(start);
            PaneStats pane = former == null ? one : former.merge(one);
            panes.put(ticker, start, pane, 1_000);
            context.setCurrentStreamTimeMs(Math.max(context.currentStreamTimeMs(), at));
            lists.process(new Record<>(
                    new WindowKey(ticker, start),
                    new WindowStats(ticker, Window.startingAt(start, 1_000), false, pane),
                    at));
        }

        /** So many ticks, a twentieth of a second apart. */
        void ticks(int count) {
            for (int i = 0; i < count; i++) {
                now += 50;
                context.setCurrentSystemTimeMs(now);
                List<CapturedPunctuator> live = context.scheduledPunctuators().stream()
                        .filter(each -> !each.cancelled())
                        .toList();
                assertEquals(1, live.size());
                live.get(0).getPunctuator().punctuate(now);
            }
        }

        /** What was told since the last call, in order. */
        List<String> told() {
            List<String> told = new ArrayList<>();
            context.forwarded().forEach(each -> {
                assertEquals(PARTITION, each.record().key());
                assertEquals(PARTITION, each.record().value().partition());
                told.add(each.record()
                        .value()
                        .fold(this::line, progress -> "progress %d..%d".formatted(progress.from(), progress.to())));
            });
            context.resetForwards();
            return told;
        }

        private String line(TopReport.Partial list) {
            lastTop = list.top();
            return "%s %d %s"
                    .formatted(
                            list.closed() ? "last" : "open",
                            list.windowStart(),
                            String.join(
                                    ", ",
                                    list.top().stream()
                                            .map(each -> each.ticker().symbol() + " "
                                                    + (long) each.stats().min())
                                            .toList()));
        }
    }
}
