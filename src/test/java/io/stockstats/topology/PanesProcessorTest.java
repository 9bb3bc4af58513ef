package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.topology.PanesProcessorTest.Task.Emitted;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.PaneKey;
import io.stockstats.wire.PaneStatsSerde;
import io.stockstats.wire.UnknownFormatException;
import io.stockstats.wire.WindowKey;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a task does when it starts upon state, and what it keeps and deletes. */
class PanesProcessorTest {

    private static final long T = 1_764_512_400_000L;
    private static final long GRACE = 30_000;
    private static final long RETENTION = 900_000;
    private static final Ticker A = new Ticker("A");
    private static final Ticker B = new Ticker("B");
    private static final int PARTITION = 3;

    @TempDir
    Path directory;

    private final PartitionTimes times = new PartitionTimes();
    private final List<Task> tasks = new ArrayList<>();

    @AfterEach
    void closeStores() {
        tasks.forEach(task -> task.store.close());
    }

    // ---- start upon state

    @ParameterizedTest
    @EnumSource
    void aTaskThatStartsEmitsEveryWindowAgainThatIsNotFinal(StatsConfig.Store kind) {
        // Given: of five windows of A's first trade two are final when the task stops, before their last emission
        Task before = start(new SettingsBuilder().store(kind), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.trade(B, 2, T + 2_000 + GRACE);
        before.trade(A, 3, T + 2_500);
        before.stop();

        // When
        Task after = restart(before, new SettingsBuilder().store(kind), T + 2_000 + GRACE);
        after.tick();

        // Then
        List<Emitted> emitted = after.emitted();
        assertEquals(List.of(T - 2_000, T - 1_000, T, T + 1_000, T + 2_000), starts(ofTicker(A, emitted)));
        assertEquals(List.of(2L, 2L, 2L, 1L, 1L), counts(ofTicker(A, emitted)));
        assertEquals(5, ofTicker(B, emitted).size());
        assertTrue(emitted.stream().noneMatch(Emitted::isFinal));
        after.now += 10_000;
        after.tick();
        assertEquals(List.of(), after.emitted(), "only once");
    }

    @Test
    void windowsOfTenPanesAreCompleteAfterARestart() {
        // Given: a trade in each of ten panes, and windows of ten
        SettingsBuilder tenPanes = new SettingsBuilder().rules(new WindowRules(10_000, 1_000, GRACE, RETENTION));
        Task before = start(tenPanes, WindowRules.NO_STREAM_TIME);
        for (int i = 0; i < 10; i++) {
            before.trade(A, 1 + i, T + i * 1_000L);
        }
        before.stop();

        // When: stream time moves on so far that only the last of the windows that hold the first pane is open
        Task after = restart(before, tenPanes, T + 9_000);
        after.trade(B, 1, T + 10_000 + GRACE - 1);
        after.emitted();
        after.trade(A, 100, T + 9_999);
        after.trade(B, 1, T + 10_000 + GRACE);

        // Then
        List<Emitted> last = ofTicker(A, after.emitted());
        assertEquals(List.of(T), starts(last));
        assertTrue(last.get(0).isFinal());
        assertEquals(11, last.get(0).stats().count());
        assertEquals(1, last.get(0).stats().first().price());
        assertEquals(100, last.get(0).stats().max());
    }

    @Test
    void aTradeForAWindowWhoseEarlierPanesWereForgottenFindsThemInTheStore() {
        // Given: the panes from T to T + 4000; only the window that starts at T + 4000 is still open
        Task task = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        for (int i = 0; i < 5; i++) {
            task.trade(A, 1 + i, T + i * 1_000L);
        }
        task.trade(B, 1, T + 8_000 + GRACE);
        task.emitted();

        // When: it gets a trade in its last pane, and becomes final
        task.trade(A, 50, T + 8_000);
        task.trade(B, 1, T + 9_000 + GRACE);

        // Then
        List<Emitted> emitted = ofTicker(A, task.emitted());
        assertEquals(List.of(T + 4_000), starts(emitted));
        assertEquals(List.of(2L), counts(emitted));
        assertEquals(5, emitted.get(0).stats().first().price());
    }

    @Test
    void aTickerThatWasSilentBeforeTheRestartHasCompleteWindowsAfterIt() {
        // Given: A's pane is final in every window that the restart takes up, but not in those of A's next trade
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.trade(A, 2, T + 4_000);
        before.trade(B, 1, T + 8_000 + GRACE);
        before.stop();

        // When
        Task after = restart(before, new SettingsBuilder(), T + 8_000 + GRACE);
        after.tick();
        after.emitted();
        after.trade(A, 3, T + 8_500);
        after.now += 1_000;
        after.tick();

        // Then
        List<Emitted> emitted = ofTicker(A, after.emitted());
        assertEquals(List.of(T + 4_000, T + 5_000, T + 6_000, T + 7_000, T + 8_000), starts(emitted));
        assertEquals(List.of(2L, 1L, 1L, 1L, 1L), counts(emitted));
    }

    @Test
    void lateTradesAreJudgedByTheCommittedStreamTimeNotByTheStateThatIsAheadOfIt() {
        // Given: state of a task that was killed before it committed anything
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.trade(A, 2, T + 500_000);

        before.write();

        // When: its trades are read again
        Task after = restart(before, new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        after.trade(A, 1, T);
        after.tick();

        // Then: the trade counts twice, and what the state held is not overwritten
        List<Emitted> emitted = after.emitted().stream()
                .filter(each -> each.key().windowStart() == T)
                .toList();
        assertEquals(List.of(2L), counts(emitted));
        assertEquals(0, after.meters.get("stockstats.trades.late").counter().count());
        assertEquals(
                new PartitionTimes.Times(T + 500_000, T),
                times.of(PARTITION),
                "what had expired for queries stays so; finality goes by the commit");
    }

    @Test
    void aStreamTimeOfNothingButRejectsDoesNotHideTheState() {
        // Given: the commit knows of rejects alone, which are given time 0, and the state is ahead of it
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.trade(A, 2, T + 1_000);
        before.write();

        // When
        Task after = restart(before, new SettingsBuilder(), 0);
        after.tick();

        // Then
        assertEquals(6, after.emitted().size());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whereverATaskIsRestartedEveryWindowsFinalStateIsTheSame(long seed) {
        // Given: a random stream, and what a task emits that is never restarted
        WindowRules rules = new WindowRules(5_000, 1_000, 3_000, 60_000);
        Random random = new Random(seed);
        List<Object[]> trades = new ArrayList<>();
        for (int i = 0; i < 1_500; i++) {
            trades.add(new Object[] {
                new Ticker("T" + random.nextInt(5)), 1 + random.nextInt(50), T + i * 40L - random.nextInt(5_000)
            });
        }
        Map<WindowKey, WindowStats> undisturbed = new HashMap<>();
        Task only = start(new SettingsBuilder().rules(rules), WindowRules.NO_STREAM_TIME);
        for (Object[] trade : trades) {
            only.trade((Ticker) trade[0], (int) trade[1], (long) trade[2]);
        }
        only.trade(A, 1, T + 1_000_000);
        only.emitted().stream().filter(Emitted::isFinal).forEach(each -> undisturbed.put(each.key(), each.window()));

        // When: the same stream, with a clean restart every few trades
        Map<WindowKey, WindowStats> disturbed = new HashMap<>();
        Task task = start(new SettingsBuilder().rules(rules), WindowRules.NO_STREAM_TIME);
        long offset = 0;
        for (Object[] trade : trades) {
            task.offset = offset++;
            task.trade((Ticker) trade[0], (int) trade[1], (long) trade[2]);
            if (random.nextInt(20) == 0) {
                task.emitted().stream()
                        .filter(Emitted::isFinal)
                        .forEach(each -> disturbed.put(each.key(), each.window()));
                task.stop();
                task = restart(task, new SettingsBuilder().rules(rules), task.streamTime());
            }
        }
        task.trade(A, 1, T + 1_000_000);
        task.emitted().stream().filter(Emitted::isFinal).forEach(each -> disturbed.put(each.key(), each.window()));

        // Then
        assertTrue(undisturbed.size() > 200);
        assertEquals(undisturbed, disturbed);
    }

    @Test
    void aProcessorThatIsStartedAgainKeepsNothingOfItsFormerLife() {
        // Given: Kafka Streams revives a task upon restored state with the same processor, closed and initialised again
        Task task = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        task.trade(A, 1, T);
        task.trade(B, 1, T);
        task.trade(A, 2, T + 100);
        List<CapturedPunctuator> former = List.copyOf(task.context.scheduledPunctuators());
        task.processor.close();
        // What was not committed is rolled back: B is gone, and of A only the first trade is left.
        task.store.delete(key(B, T));
        task.store.put(key(A, T), PaneStatsSerde.serialize(PaneStats.of(new Trade(A, 1, 1, null, T * 1_000_000), 0)));

        // When
        task.context.setCurrentStreamTimeMs(T);
        task.processor.init(task.context);
        task.tick();

        // Then
        List<Emitted> emitted = task.emitted();
        assertEquals(List.of(), ofTicker(B, emitted));
        assertEquals(List.of(1L, 1L, 1L, 1L, 1L), counts(ofTicker(A, emitted)));
        assertTrue(former.stream().allMatch(CapturedPunctuator::cancelled));
    }

    // ---- what is refused

    @Test
    void stateOfAnotherAdvanceIsRefusedNamingThePropertyAndTheRemedy() {
        // Given
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.stop();
        SettingsBuilder changed = new SettingsBuilder().rules(new WindowRules(5_000, 500, GRACE, RETENTION));

        // When
        StateGeometryException refused = assertThrows(StateGeometryException.class, () -> restart(before, changed, T));

        // Then
        assertEquals(
                "stockstats.window.advance is 500 ms, and the state was made with 1000 ms: set it back, or give the"
                        + " service a new quarkus.kafka-streams.application-id and replay",
                refused.getMessage());
    }

    @Test
    void anotherSizeGraceAndRetentionAreAccepted() {
        // Given
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.stop();

        // When
        Task after = restart(before, new SettingsBuilder().rules(new WindowRules(3_000, 1_000, 20_000, 60_000)), T);
        after.tick();

        // Then
        assertEquals(List.of(T - 2_000, T - 1_000, T), starts(after.emitted()));
    }

    @Test
    void aPaneOfAnUnknownVersionIsRefused() {
        // Given
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        byte[] pane = before.store.get(key(A, T));
        pane[0] = 2;
        before.store.put(key(A, T), pane);

        // When
        UnknownFormatException refused =
                assertThrows(UnknownFormatException.class, () -> restart(before, new SettingsBuilder(), T));

        // Then
        assertTrue(refused.toString().contains("format version 2"), refused::toString);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStoreOfAnUnknownFormatIsRefused(int versionByte) {
        // Given: the store's own record, whose first two bytes are its version and the panes'
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        Bytes geometry = Bytes.wrap(new byte[] {0, 'g'});
        byte[] bytes = before.store.get(geometry);
        bytes[versionByte] = 2;
        before.store.put(geometry, bytes);

        // When
        StateGeometryException refused =
                assertThrows(StateGeometryException.class, () -> restart(before, new SettingsBuilder(), T));

        // Then
        assertTrue(refused.toString().contains("another version of Stockstats"), refused::toString);
    }

    @Test
    void aTaskThatDiedBeforeItsFirstCommitEmitsNoWindowShort() {
        // Given: a trade in each of a hundred seconds, none of which is committed
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        for (int i = 0; i < 100; i++) {
            before.trade(A, 1 + i, T + i * 1_000L);
        }
        before.write();

        // When: it starts anew and reads them again
        Task after = restart(before, new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        after.tick();
        List<Emitted> atOnce = after.emitted();
        for (int i = 0; i < 100; i++) {
            after.trade(A, 1 + i, T + i * 1_000L);
        }
        List<Emitted> finals = after.emitted().stream().filter(Emitted::isFinal).toList();

        // Then: what it finds in the state is whole, and each window becomes final once, with all of its trades twice
        assertFalse(atOnce.isEmpty());
        for (Emitted each : atOnce) {
            assertEquals(tradesIn(each, 100), each.stats().count(), each::toString);
        }
        assertEquals(65 + 4, finals.size());
        assertEquals(finals.size(), Set.copyOf(starts(finals)).size());
        for (Emitted each : finals) {
            assertEquals(2 * tradesIn(each, 100), each.stats().count(), each::toString);
        }
    }

    /** How many of so many trades, one each second from {@code T} on, lie in the window. */
    private static long tradesIn(Emitted emitted, int trades) {
        Window window = emitted.window().window();
        return LongStream.range(0, trades)
                .map(i -> T + i * 1_000L)
                .filter(at -> window.start() <= at && at < window.end())
                .count();
    }

    // ---- idle partitions

    @Test
    void windowsThatWereClosedByIdlenessStayClosedAfterARestart() {
        // Given
        SettingsBuilder idle = new SettingsBuilder().idle(Duration.ofSeconds(60));
        Task before = start(idle, WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.tick();
        before.now += 60_000;
        before.tick();
        assertEquals(5, before.emitted().stream().filter(Emitted::isFinal).count());
        before.stop();

        // When
        Task after = restart(before, idle, T);
        after.tick();
        after.trade(A, 2, T + 4_999);

        // Then
        assertEquals(1, after.meters.get("stockstats.trades.late").counter().count());
        assertEquals(new PartitionTimes.Times(T + 4_999, T + 5_000 + GRACE), times.of(PARTITION));
        assertTrue(after.emitted().stream()
                .allMatch(each -> each.isFinal() && each.stats().count() == 1));
    }

    @Test
    void windowsClosedByIdlenessButNotCommittedAreWrittenFinalAgain() {
        // Given: the closing reached the state, and the task died before its windows reached the output topic
        SettingsBuilder idle = new SettingsBuilder().idle(Duration.ofSeconds(60));
        Task before = start(idle, WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.tick();
        before.now += 60_000;
        before.tick();

        // When
        Task after = restart(before, idle, T);
        after.tick();

        // Then
        List<Emitted> emitted = after.emitted();
        assertEquals(List.of(T - 4_000, T - 3_000, T - 2_000, T - 1_000, T), starts(emitted));
        assertTrue(emitted.stream().allMatch(Emitted::isFinal));
    }

    @Test
    void aRestartDoesNotMakeAPartitionIdleAtOnce() {
        // Given
        SettingsBuilder idle = new SettingsBuilder().idle(Duration.ofSeconds(60));
        Task before = start(idle, WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        before.stop();

        // When
        Task after = restart(before, idle, T);
        after.tick();
        after.now += 59_999;
        after.tick();

        // Then
        assertTrue(after.emitted().stream().noneMatch(Emitted::isFinal));
        after.now += 1;
        after.tick();
        assertEquals(5, after.emitted().stream().filter(Emitted::isFinal).count());
    }

    // ---- what copies are told

    @Test
    void aCopyOfTheStoreKnowsStreamTimeToTheSecondAndWhatIdlenessClosed() {
        // Given
        Task task = start(new SettingsBuilder().idle(Duration.ofSeconds(60)), WindowRules.NO_STREAM_TIME);
        assertEquals(PartitionTimes.Times.NONE, PaneStore.timesIn(task.store));

        // When trades come, and the wall clock goes on
        task.trade(A, 1, T);
        task.tick();
        task.trade(A, 1, T + 100);
        task.now += 999;
        task.tick();

        // Then what is told is at most a second old
        assertEquals(new PartitionTimes.Times(T, T), PaneStore.timesIn(task.store));
        task.now += 1;
        task.tick();
        assertEquals(new PartitionTimes.Times(T + 100, T + 100), PaneStore.timesIn(task.store));

        // And when the partition is silent, until when its windows were closed
        task.now += 60_000;
        task.tick();
        assertEquals(new PartitionTimes.Times(T + 100, T + 5_000 + GRACE), PaneStore.timesIn(task.store));
    }

    // ---- what is kept

    @ParameterizedTest
    @EnumSource
    void expiredPanesAreDeletedAndNoOthers(StatsConfig.Store kind) {
        // Given: A has a pane that is expired to the millisecond, and one that is not; B only an expired one
        Task task = start(new SettingsBuilder().store(kind), WindowRules.NO_STREAM_TIME);
        task.trade(A, 1, T);
        task.trade(B, 1, T);
        task.trade(A, 1, T + 1_000);

        // When
        task.trade(new Ticker("C"), 1, T + 2 * RETENTION - 1);
        task.tick();
        assertEquals(4, task.panes().size(), "none is expired yet");
        task.trade(new Ticker("C"), 1, T + 2 * RETENTION + 999);
        for (int i = 0; i < 200; i++) {
            task.trade(new Ticker("C"), 1, T + 2 * RETENTION + 999);
            task.tick();
        }

        // Then: looking for expired panes again takes a part of the retention
        task.trade(new Ticker("C"), 1, T + 2 * RETENTION + RETENTION / 8);
        task.tick();
        List<PaneKey> left = task.panes();
        assertTrue(left.stream().noneMatch(pane -> pane.start() <= T + 1_000), left::toString);
        assertEquals(3, left.size(), left::toString);
    }

    @Test
    void aTickerWhosePanesAllExpiredBeginsAnew() {
        // Given
        Task task = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        task.trade(A, 1, T);
        task.trade(B, 1, T + 3 * RETENTION);
        task.tick();
        assertEquals(List.of(new PaneKey(B, T + 3 * RETENTION)), task.panes());
        task.emitted();

        // When
        task.trade(A, 7, T + 3 * RETENTION);
        task.now += 1_000;
        task.tick();

        // Then
        List<Emitted> emitted = ofTicker(A, task.emitted());
        assertEquals(5, emitted.size());
        assertTrue(emitted.stream()
                .allMatch(each -> each.stats().count() == 1 && each.stats().min() == 7));
    }

    @Test
    void noTickDeletesMoreThanASharesWorthHoweverMuchHasExpired() {
        // Given: a thousand tickers of twenty panes each, all of which expire at once
        Task task = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        for (int i = 0; i < 1_000; i++) {
            for (int pane = 0; pane < 20; pane++) {
                task.trade(new Ticker("T" + i), 1, T + pane * 1_000L);
            }
        }
        task.trade(A, 1, T + 3 * RETENTION);
        task.write();
        int before = task.panes().size();
        assertEquals(20_001, before);

        // When
        int most = 0;
        for (int i = 0; i < 200 && before > 1; i++) {
            task.tick();
            int left = task.panes().size();
            most = Math.max(most, before - left);
            before = left;
        }

        // Then
        assertEquals(1, before, "all that expired is deleted in the end");
        assertTrue(most <= 4_096, "a tick deleted " + most + " panes");
    }

    @Test
    void panesOfFinalWindowsAreNotKeptInMemory() {
        // Given
        WindowRules rules = new WindowRules(5_000, 1_000, GRACE, RETENTION);
        TickerPanes panes = new TickerPanes(A, Long.MIN_VALUE, Long.MAX_VALUE);
        panes.add(new Trade(A, 1, 1, null, T * 1_000_000), 0, T);
        panes.add(new Trade(A, 2, 1, null, (T + 1_000) * 1_000_000), 1, T + 1_000);

        Map<Long, PaneStats> written = new HashMap<>();

        // When
        panes.forgetFinal(rules, T + 5_000 + GRACE - 1, written::put);
        assertEquals(Long.MIN_VALUE, panes.completeFrom(), "the window that starts with the pane is not final");
        panes.forgetFinal(rules, T + 5_000 + GRACE, written::put);

        // Then
        assertEquals(T + 1_000, panes.completeFrom());
        assertEquals(Set.of(T), written.keySet(), "what is forgotten is written first");
        List<Window> left = new ArrayList<>();
        panes.drainChanged(rules, T + 5_000 + GRACE, (window, stats) -> left.add(window));
        assertEquals(List.of(Window.startingAt(T + 1_000, 5_000)), left);
        panes.drainUnwritten(written::put);
        assertEquals(Set.of(T, T + 1_000), written.keySet());
        written.clear();
        panes.forgetFinal(rules, T + 6_000 + GRACE, written::put);
        assertTrue(panes.isEmpty());
        assertEquals(Set.of(), written.keySet(), "only once");
    }

    @Test
    void aTaskThatEndsLeavesItsPartitionsTimesToTheNextOne() {
        // Given
        Task before = start(new SettingsBuilder(), WindowRules.NO_STREAM_TIME);
        before.trade(A, 1, T);
        Task after = restart(before, new SettingsBuilder(), T);

        // When: the former task is closed after the next has started
        before.processor.close();

        // Then
        assertEquals(new PartitionTimes.Times(T, T), times.of(PARTITION));
        after.processor.close();
        assertNull(times.of(PARTITION));
    }

    // ---- fixture

    private Task start(SettingsBuilder settings, long streamTime) {
        return new Task(
                settings.build(),
                streamTime,
                directory.resolve("task" + tasks.size()).toFile(),
                null);
    }

    /** A new task upon the store that another one left, reopened from disk where it is on disk. */
    private Task restart(Task before, SettingsBuilder settings, long streamTime) {
        return new Task(settings.build(), streamTime, before.stateDir, before);
    }

    private static Bytes key(Ticker ticker, long start) {
        return Bytes.wrap(new PaneKey(ticker, start).bytes());
    }

    private static List<Emitted> ofTicker(Ticker ticker, List<Emitted> emitted) {
        return emitted.stream()
                .filter(each -> each.key().ticker().equals(ticker))
                .toList();
    }

    private static List<Long> starts(List<Emitted> emitted) {
        return emitted.stream().map(each -> each.key().windowStart()).toList();
    }

    private static List<Long> counts(List<Emitted> emitted) {
        return emitted.stream().map(each -> each.stats().count()).toList();
    }

    /** A processor with its store, in a context whose times the test sets. */
    final class Task {
        final SimpleMeterRegistry meters = new SimpleMeterRegistry();
        final File stateDir;
        final MockProcessorContext<WindowKey, WindowStats> context;
        final CommitAwareStore committed;
        final KeyValueStore<Bytes, byte[]> store;
        final PanesProcessor processor;
        long now = 1_764_600_000_000L;
        long offset;

        record Emitted(WindowKey key, WindowStats window, long timestamp) {
            boolean isFinal() {
                return window.isFinal();
            }

            PaneStats stats() {
                return window.stats();
            }
        }

        Task(TopologySettings settings, long streamTime, File stateDir, @Nullable Task before) {
            this.stateDir = stateDir;
            Properties properties = new Properties();
            properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "stockstats");
            properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "");
            context = new MockProcessorContext<>(properties, new TaskId(0, PARTITION), stateDir);
            boolean onDisk = settings.store() == StatsConfig.Store.ROCKSDB;
            if (before != null && !onDisk) {
                committed = before.committed;
                store = before.store;
            } else {
                if (before != null) {
                    before.store.close();
                }
                committed = PaneStore.builder(settings.store())
                        .withLoggingDisabled()
                        .build();
                store = committed.wrapped();
                committed.init(context.getStateStoreContext(), committed);
            }
            context.addStateStore(committed);
            context.setCurrentSystemTimeMs(now);
            context.setCurrentStreamTimeMs(streamTime);
            processor = new PanesProcessor(settings, new StreamCounters(meters), times, LatestWindows.UNWANTED);
            tasks.add(this);
            processor.init(context);
        }

        void trade(Ticker ticker, double price, long eventMillis) {
            context.setCurrentSystemTimeMs(now);
            context.setCurrentStreamTimeMs(Math.max(context.currentStreamTimeMs(), eventMillis));
            context.setRecordMetadata("stocks", PARTITION, offset++);
            processor.process(
                    new Record<>(ticker, new Trade(ticker, price, 1, null, eventMillis * 1_000_000), eventMillis));
        }

        long streamTime() {
            return context.currentStreamTimeMs();
        }

        void tick() {
            context.setCurrentSystemTimeMs(now);
            List<CapturedPunctuator> live = context.scheduledPunctuators().stream()
                    .filter(each -> !each.cancelled())
                    .toList();
            assertFalse(live.isEmpty());
            live.forEach(each -> each.getPunctuator().punctuate(now));
        }

        /** As before a commit. */
        void write() {
            committed.flushCache();
        }

        /** After a commit. */
        void stop() {
            write();
            processor.close();
        }

        /** What was emitted since the last call. */
        List<Emitted> emitted() {
            List<Emitted> emitted = context.forwarded().stream()
                    .map(each -> new Emitted(
                            each.record().key(),
                            each.record().value(),
                            each.record().timestamp()))
                    .toList();
            context.resetForwards();
            return emitted;
        }

        /** The panes in the store. */
        List<PaneKey> panes() {
            List<PaneKey> panes = new ArrayList<>();
            try (KeyValueIterator<Bytes, byte[]> all =
                    store.range(Bytes.wrap(PaneKey.lowest()), Bytes.wrap(PaneKey.highest()))) {
                all.forEachRemaining(each -> panes.add(PaneKey.parse(each.key.get())));
            }
            return panes;
        }
    }
}
