package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TopList;
import io.stockstats.wire.TopReport;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The second stage, fed with the reports of several partitions. */
class TopMergerTest {

    private static final long W = 10_000;
    private static final long RETENTION = 900_000;
    private static final long COMMIT_INTERVAL = 1_000;
    private static final TopRule RULE = new TopRule(new Ranking(Ranking.By.MIN_PRICE, false), 3, W);

    @TempDir
    Path directory;

    // ---- merging

    @Test
    void theListIsOfAllPartitionsTickers() {
        // Given
        Task task = new Task(2);

        // When
        task.report(list(0, W, false, "A 5", "B 7", "C 9"));
        task.report(list(1, W, false, "D 1", "E 7", "F 8"));

        // Then
        List<TopList> written = task.written();
        assertEquals(List.of("A 5", "B 7", "C 9"), lines(written.get(0)));
        assertEquals(List.of("D 1", "A 5", "B 7"), lines(written.get(1)));
        assertEquals(2, written.size());
        assertTrue(written.stream().noneMatch(TopList::complete));
    }

    @Test
    void aListThatDoesNotChangeIsNotWrittenAgain() {
        // Given
        Task task = new Task(2);
        task.report(list(0, W, false, "A 1", "B 2", "C 3"));
        task.written();

        // When
        task.report(list(1, W, false, "D 4"));
        task.report(list(0, W, false, "A 1", "B 2", "C 3"));
        task.ticks(10);

        // Then
        assertEquals(List.of(), task.written());
    }

    @Test
    void aTickerInTwoPartitionsIsListedOnceByItsNewestTrade() {
        // Given
        Task task = new Task(2);

        // When
        task.report(new TopReport.Partial(RULE, 0, W, false, List.of(window("A", 5, W, 100))));
        task.report(new TopReport.Partial(RULE, 1, W, false, List.of(window("A", 9, W, 200))));

        // Then
        assertEquals(List.of("A 9"), lines(task.last(W)));
    }

    // ---- complete

    @Test
    void aListIsCompleteWhenEveryPartitionHasPassedItsWindow() {
        // Given: partition 0 is far ahead, partition 2 has no trade in the window
        Task task = new Task(3);
        task.report(progress(0, 0, 0), progress(1, 0, 0), progress(2, 0, 0));
        task.report(list(0, W, true, "A 5"), progress(0, 0, 50 * W));
        task.report(list(1, W, false, "B 4"));
        assertFalse(task.last(W).complete());

        // When
        task.report(list(1, W, true, "B 3"), progress(1, 0, 2 * W));
        TopList beforeTheLast = task.last(W);
        task.report(progress(2, 0, W));
        List<TopList> notYet = task.written();
        task.report(progress(2, 0, 2 * W));

        // Then
        assertFalse(beforeTheLast.complete());
        assertEquals(List.of("B 3", "A 5"), lines(beforeTheLast));
        assertEquals(List.of(), notYet, "the window that partition 2 passed is the one before");
        TopList last = task.last(W);
        assertTrue(last.complete());
        assertEquals(List.of("B 3", "A 5"), lines(last));
        assertTrue(last.top().stream().allMatch(WindowStats::isFinal));
    }

    @Test
    void onePartitionsProgressCompletesAllThatWaitedForIt() {
        // Given
        Task task = new Task(2);
        for (int i = 1; i <= 20; i++) {
            task.report(list(0, i * W, true, "A " + i));
        }
        task.report(progress(0, 0, 30 * W));
        assertTrue(task.written().stream().noneMatch(TopList::complete));

        // When
        task.report(progress(1, 0, 15 * W));

        // Then: windows 1 to 14
        List<TopList> written = task.written();
        assertEquals(14, written.size());
        assertTrue(written.stream().allMatch(TopList::complete));
    }

    @Test
    void nothingIsCompleteWhileTheNumberOfPartitionsIsUnknown() {
        // Given
        Task task = new Task(0);
        task.report(list(0, W, true, "A 5"), progress(0, 0, 2 * W));
        task.ticks(10);
        assertFalse(task.last(W).complete());

        // When
        task.partitions.set(1);
        task.ticks(1);

        // Then: and it stays known
        assertTrue(task.last(W).complete());
        Task after = new Task(task);
        after.partitions.set(0);
        after.ticks(1);
        assertTrue(after.last(W).complete());
    }

    @Test
    void aWindowInWhichNobodyTradesIsNeverWritten() {
        // Given
        Task task = new Task(2);

        // When
        task.report(progress(0, 0, 5 * W), progress(1, 0, 5 * W));
        task.ticks(50);

        // Then
        assertEquals(List.of(), task.written());
    }

    // ---- repetitions

    @Test
    void aPartitionsLastWordStandsWhateverItRepeatsAfterACrash() {
        // Given
        Task task = new Task(2);
        task.report(list(0, W, true, "A 1", "B 2"), progress(0, 0, 2 * W));
        task.written();

        // When: partition 0 begins again, with less at first; meanwhile partition 1 passes the window
        task.report(progress(0, 0, 0), list(0, W, false, "B 2"));
        task.report(progress(1, 0, 2 * W));

        // Then
        TopList last = task.last(W);
        assertTrue(last.complete());
        assertEquals(List.of("A 1", "B 2"), lines(last));
    }

    @Test
    void aWindowThatWasForgottenIsNotTakenUpAgain() {
        // Given
        Task task = new Task(1);
        task.report(list(0, W, true, "A 1"), progress(0, 0, 2 * W));
        task.ticks(30);
        assertEquals(0, task.listsInStore());
        task.written();

        // When: in this task and in the next
        task.report(list(0, W, false, "B 1"));
        Task after = new Task(task);
        after.report(list(0, W, true, "B 1"));
        after.ticks(30);

        // Then
        assertEquals(List.of(), task.written());
        assertEquals(List.of(), after.written());
    }

    // ---- restarts

    @Test
    void aCompleteListIsWrittenAgainByATaskThatStartsBeforeItWasAcknowledged() {
        // Given: a commit, for which its interval must have passed, may have failed until the second tick after that
        Task task = new Task(1);
        task.report(list(0, W, true, "A 1"), progress(0, 0, 2 * W));
        task.ticks(11);

        // When
        Task after = new Task(task);
        after.ticks(1);

        // Then
        TopList again = after.last(W);
        assertTrue(again.complete());
        assertEquals(List.of("A 1"), lines(again));
    }

    @Test
    void whatIsAcknowledgedIsTakenOutOfTheStoreAndNotWrittenAgain() {
        // Given
        Task task = new Task(1);
        task.report(list(0, W, true, "A 1"), progress(0, 0, 2 * W), list(0, 2 * W, false, "A 2"));
        assertEquals(2, task.listsInStore());

        // When
        task.ticks(13);

        // Then: the open window stays
        assertEquals(1, task.listsInStore());
        Task after = new Task(task);
        after.ticks(1);
        assertEquals(
                List.of(2 * W),
                after.written().stream().map(list -> list.window().start()).toList());
    }

    @Test
    void aTaskGoesOnWithWhatTheOneBeforeItWasTold() {
        // Given
        Task task = new Task(2);
        task.report(list(0, W, true, "A 1"), progress(0, 0, 2 * W));

        // When
        Task after = new Task(task);
        after.report(list(1, W, true, "B 2"), progress(1, 0, 2 * W));

        // Then
        TopList last = after.last(W);
        assertTrue(last.complete());
        assertEquals(List.of("A 1", "B 2"), lines(last));
    }

    // ---- switched on, off and changed

    @Test
    void ofWindowsBeforeListsWereSwitchedOnNothingIsSaid() {
        // Given: partition 0 began when it was beyond the window, in which it may have had trades
        Task task = new Task(2);
        task.report(progress(0, 5 * W, 5 * W), list(1, W, true, "B 2"));

        // When
        task.report(progress(0, 5 * W, 9 * W), progress(1, 0, 9 * W), list(1, 6 * W, true, "B 3"));

        // Then
        Map<Long, TopList> last = task.lastOfAll();
        assertFalse(last.get(W).complete());
        assertTrue(last.get(6 * W).complete());
    }

    @Test
    void whileListsWereSwitchedOffNothingIsSaidEither() {
        // Given
        Task task = new Task(2);
        task.report(progress(0, 0, 5 * W), progress(1, 0, 3 * W));

        // When: partition 0 begins again two windows later than it had come, partition 1 where it was
        task.report(progress(0, 7 * W, 8 * W), progress(1, 3 * W, 3 * W));
        task.report(list(1, 6 * W, true, "B 6"), list(1, 7 * W, true, "B 7"), progress(1, 3 * W, 8 * W));

        // Then
        Map<Long, TopList> last = task.lastOfAll();
        assertFalse(last.get(6 * W).complete());
        assertTrue(last.get(7 * W).complete());
    }

    @Test
    void listsByAnotherRuleAreNotMergedWithThese() {
        // Given
        Task before = new Task(1);
        before.report(list(0, W, false, "A 1"), progress(0, 0, W));
        TopRule rule = new TopRule(new Ranking(Ranking.By.VOLUME, true), 3, W);

        // When: one more report of the former rule is still on the topic
        Task after = new Task(before, rule);
        after.report(list(0, W, true, "A 2"));
        after.ticks(5);

        // Then
        assertEquals(0, after.listsInStore());
        assertEquals(List.of(), after.written());
    }

    // ---- bounds

    @Test
    void windowsThatWaitForASilentPartitionAreGivenUpFarBehindTheOthers() {
        // Given: partition 1 never speaks
        Task task = new Task(2);
        long newest = 4 * RETENTION + 5 * W;
        for (long start = 0; start < newest; start += W) {
            task.report(list(0, start, true, "A 1"));
        }
        task.report(progress(0, 0, newest));
        int all = task.listsInStore();
        task.ticks(5);
        assertEquals(all, task.listsInStore(), "partition 1 may only be slow to start");

        // When
        task.now += RETENTION;
        task.ticks(1);

        // Then: those that start at 0 to 4 windows
        assertEquals(all - 5, task.listsInStore());
        task.written();
        task.report(list(1, 4 * W, true, "B 1"));
        assertEquals(List.of(), task.written(), "a list without partition 0's tickers");
    }

    @Test
    void windowsThatWaitForAPartitionThatIsOnItsWayAreKept() {
        // Given
        Task task = new Task(2);
        long newest = 8 * RETENTION;
        for (long start = 0; start < newest; start += W) {
            task.report(list(0, start, true, "A 1"));
        }
        task.report(progress(0, 0, newest));

        // When: partition 1 is days behind in event time, and works
        int completed = 0;
        for (long to = W; to <= 10 * W; to += W) {
            task.now += RETENTION / 2;
            task.report(progress(1, 0, to));
            task.ticks(1);
            completed += (int) task.written().stream().filter(TopList::complete).count();
        }

        // Then
        assertEquals(10, completed);
    }

    // ---- any interleaving

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theLastListsAreTheOraclesHoweverPartitionsAreInterleavedAndTasksRestarted(long seed) {
        // Given each partition's reports in their order: changes of open windows, last words, progress
        Random random = new Random(seed);
        int count = 1 + random.nextInt(4);
        int windows = 12;
        List<Deque<TopReport>> reports = new ArrayList<>();
        Map<Long, List<String>> expected = new TreeMap<>();
        for (int partition = 0; partition < count; partition++) {
            Deque<TopReport> said = new ArrayDeque<>();
            said.add(progress(partition, 0, 0));
            for (long start = 0; start < windows * W; start += W) {
                List<String> tickers = new ArrayList<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    tickers.add("P" + partition + "T" + i + " " + (1 + random.nextInt(6)));
                    said.add(list(partition, start, false, ranked(tickers)));
                }
                if (!tickers.isEmpty()) {
                    said.add(list(partition, start, true, ranked(tickers)));
                    expected.computeIfAbsent(start, at -> new ArrayList<>()).addAll(tickers);
                }
                said.add(progress(partition, 0, start + W));
            }
            reports.add(said);
        }
        expected.replaceAll((start, tickers) -> List.of(ranked(tickers)));

        // When
        Task task = new Task(count);
        Map<Long, TopList> last = new HashMap<>();
        Set<Long> complete = new HashSet<>();
        while (reports.stream().anyMatch(said -> !said.isEmpty())) {
            Deque<TopReport> said = reports.get(random.nextInt(count));
            if (!said.isEmpty()) {
                task.report(said.remove());
            }
            task.ticks(random.nextInt(8) == 0 ? random.nextInt(30) : 0);
            List<TopList> written = task.written();
            if (random.nextInt(15) == 0) {
                task = new Task(task);
                task.ticks(1);
                written = new ArrayList<>(written);
                written.addAll(task.written());
            }
            for (TopList list : written) {
                last.put(list.window().start(), list);
                // Then once complete always complete
                assertTrue(list.complete() || !complete.contains(list.window().start()), list::toString);
                if (list.complete()) {
                    complete.add(list.window().start());
                }
            }
        }

        // Then
        Map<Long, List<String>> lines = new TreeMap<>();
        last.forEach((start, list) -> lines.put(start, lines(list)));
        assertEquals(expected, lines);
        assertTrue(last.values().stream().allMatch(TopList::complete));
        task.ticks(30);
        assertEquals(0, task.listsInStore());
    }

    // ---- fixture

    /** Lines of ticker and price, the lowest three. */
    private static String[] ranked(List<String> tickers) {
        Comparator<String> byPrice = Comparator.comparingDouble(TopMergerTest::price);
        return tickers.stream()
                .sorted(byPrice.thenComparing(Comparator.naturalOrder()))
                .limit(3)
                .toArray(String[]::new);
    }

    private static double price(String line) {
        return Double.parseDouble(line.split(" ", -1)[1]);
    }

    private static TopReport.Partial list(int partition, long start, boolean closed, String... tickers) {
        return new TopReport.Partial(
                RULE,
                partition,
                start,
                closed,
                Arrays.stream(tickers)
                        .map(line -> window(line.split(" ", -1)[0], price(line), start, start))
                        .toList());
    }

    private static TopReport.Progress progress(int partition, long from, long to) {
        return new TopReport.Progress(RULE, partition, from, to);
    }

    private static WindowStats window(String ticker, double price, long start, long at) {
        Ticker symbol = new Ticker(ticker);
        return new WindowStats(
                symbol,
                RULE.startingAt(start),
                false,
                PaneStats.of(new Trade(symbol, price, 1, null, at * 1_000_000), 0));
    }

    private static List<String> lines(TopList list) {
        return list.top().stream()
                .map(each -> each.ticker().symbol() + " " + (long) each.stats().min())
                .toList();
    }

    /** A merger with its store. */
    private final class Task {
        final PartitionCount partitions = new PartitionCount();
        final KeyValueStore<Bytes, byte[]> store;
        final MockProcessorContext<Long, TopList> context;
        final TopMerger merger;
        long now = 1_764_600_000_000L;

        Task(int count) {
            this(count, RULE, null);
        }

        /** The next task, with what the former left in the store. */
        Task(Task before) {
            this(before, RULE);
        }

        Task(Task before, TopRule rule) {
            this(before.partitions.getAsInt(), rule, before);
        }

        private Task(int count, TopRule rule, @Nullable Task before) {
            partitions.set(count);
            Properties properties = new Properties();
            properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "stockstats");
            properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "");
            properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, Long.toString(COMMIT_INTERVAL));
            File folder = directory.toFile();
            context = new MockProcessorContext<>(properties, new TaskId(1, 0), folder);
            if (before == null) {
                store = Stores.keyValueStoreBuilder(
                                Stores.inMemoryKeyValueStore(TopStore.NAME), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingDisabled()
                        .withCachingDisabled()
                        .build();
                store.init(context.getStateStoreContext(), store);
            } else {
                before.merger.close();
                store = before.store;
                now = before.now;
            }
            context.addStateStore(store);
            context.setCurrentSystemTimeMs(now);
            merger = new TopMerger(rule, RETENTION, partitions);
            merger.init(context);
        }

        void report(TopReport... reports) {
            context.setCurrentSystemTimeMs(now);
            if (partitions.getAsInt() > 0) {
                // In its life a merger learns the number with its first tick, long before most reports.
                live().forEach(each -> each.getPunctuator().punctuate(now));
            }
            for (TopReport report : reports) {
                merger.process(new Record<>(report.partition(), report, 0));
            }
        }

        /** So many ticks, a tenth of a second apart. */
        void ticks(int count) {
            for (int i = 0; i < count; i++) {
                now += 100;
                context.setCurrentSystemTimeMs(now);
                live().forEach(each -> each.getPunctuator().punctuate(now));
            }
        }

        private List<CapturedPunctuator> live() {
            List<CapturedPunctuator> live = context.scheduledPunctuators().stream()
                    .filter(each -> !each.cancelled())
                    .toList();
            assertEquals(1, live.size());
            return live;
        }

        /** What was written since the last call, in order. */
        List<TopList> written() {
            List<TopList> written = new ArrayList<>();
            context.forwarded().forEach(each -> {
                assertEquals(each.record().key(), each.record().value().window().start());
                assertEquals(each.record().value().newestTrade(), each.record().timestamp());
                written.add(each.record().value());
            });
            context.resetForwards();
            return written;
        }

        Map<Long, TopList> lastOfAll() {
            Map<Long, TopList> last = new TreeMap<>();
            written().forEach(list -> last.put(list.window().start(), list));
            return last;
        }

        /** The window's last list since the last call, which must be there. */
        TopList last(long start) {
            return Objects.requireNonNull(lastOfAll().get(start), () -> start + " was not written");
        }

        int listsInStore() {
            TopStore top = new TopStore(store);
            return top.windows().stream()
                    .mapToInt(start -> top.lists(start).size())
                    .sum();
        }
    }
}
