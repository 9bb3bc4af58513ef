package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.WindowRules;
import io.stockstats.topology.StreamUnderTest.WindowId;
import io.stockstats.topology.StreamUnderTest.Written;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowEmissionTest {

    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;
    private static final long GRACE = 30_000;
    private static final Duration INTERVAL = Duration.ofMillis(200);

    @Test
    void aTradeReachesExactlyItsFiveWindows() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("MMM", 5, T + 345);

            // When
            stream.advance(INTERVAL);

            // Then
            List<Written> written = stream.written();
            assertEquals(
                    List.of(T - 4_000, T - 3_000, T - 2_000, T - 1_000, T),
                    written.stream().map(Written::start).toList());
            assertTrue(written.stream().allMatch(w -> w.count() == 1 && !w.isFinal() && w.timestamp() == T + 345));
            assertEquals(T + 5_000, written.get(4).stats().get("windowEnd").longValue());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_000, 4_999, 5_000})
    void aTradeAtAWindowsEndBelongsToTheNextOne(long offset) {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("MMM", 5, T + offset);

            // When
            stream.advance(INTERVAL);

            // Then
            boolean expected = offset < 5_000;
            assertEquals(expected, stream.written().stream().anyMatch(w -> w.start() == T), "in [" + T + ", +5000)");
        }
    }

    @Test
    void aTradeIsLateFromTheMillisecondWhenItsFirstWindowIsFinal() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: the first boundary after T + 345 is T + 1000
            stream.trade("MMM", 1, T + 1_000 + GRACE - 1);
            stream.trade("MMM", 2, T + 345);
            assertEquals(0, stream.count("stockstats.trades.late"));

            // When
            stream.trade("MMM", 3, T + 1_000 + GRACE);
            stream.trade("MMM", 4, T + 999);
            stream.trade("MMM", 5, T + 1_000);

            // Then
            assertEquals(1, stream.count("stockstats.trades.late"));
            assertEquals(4, stream.count("stockstats.trades"));
            stream.advance(INTERVAL);
            Map<WindowId, Written> last = StreamUnderTest.lastOf(stream.written());
            assertEquals(
                    1,
                    StreamUnderTest.window(last, new WindowId("MMM", T - 4_000)).count());
            assertTrue(
                    StreamUnderTest.window(last, new WindowId("MMM", T - 4_000)).isFinal());
            assertEquals(
                    2, StreamUnderTest.window(last, new WindowId("MMM", T)).count(), "the trades of prices 2 and 5");
            assertEquals(2, StreamUnderTest.window(last, new WindowId("MMM", T)).number("openPrice"));
        }
    }

    @Test
    void latenessGoesByThePartitionNotByTheTicker() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("AAA", 1, T + 1_000 + GRACE);

            // When
            stream.trade("NEW", 1, T + 999);

            // Then
            assertEquals(1, stream.count("stockstats.trades.late"));
            stream.advance(INTERVAL);
            assertTrue(stream.written().stream().noneMatch(w -> w.ticker().equals("NEW")));
        }
    }

    @Test
    void aWindowIsWrittenOnceMoreWhenItBecomesFinal() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: the earliest window of the trade ends at T + 1000
            stream.trade("MMM", 5, T);
            stream.advance(INTERVAL);
            stream.written();

            // When
            stream.trade("OTHER", 1, T + 1_000 + GRACE - 1);
            List<Written> justBefore = ofTicker("MMM", stream.written());
            stream.trade("OTHER", 1, T + 1_000 + GRACE);
            List<Written> at = ofTicker("MMM", stream.written());
            stream.trade("OTHER", 1, T + 3_500 + GRACE);
            List<Written> later = ofTicker("MMM", stream.written());
            stream.trade("OTHER", 1, T + 60_000 + GRACE);
            List<Written> last = ofTicker("MMM", stream.written());

            // Then
            assertEquals(List.of(), justBefore);
            assertEquals(List.of(T - 4_000), starts(at));
            assertEquals(List.of(T - 3_000, T - 2_000), starts(later));
            assertEquals(List.of(T - 1_000, T), starts(last));
            assertTrue(
                    at.get(0).isFinal() && at.get(0).count() == 1 && at.get(0).timestamp() == T);
            assertTrue(later.stream().allMatch(Written::isFinal));
            stream.advance(Duration.ofSeconds(1));
            assertEquals(List.of(), ofTicker("MMM", stream.written()), "nothing after the final state");
        }
    }

    @Test
    void withEmitFinalOnlyFinalWindowsAreWritten() {
        try (StreamUnderTest stream = new StreamUnderTest(
                new SettingsBuilder().emit(StatsConfig.Emit.FINAL).build())) {
            // Given
            stream.trade("MMM", 5, T);
            stream.trade("MMM", 6, T + 500);
            stream.advance(Duration.ofSeconds(2));
            assertEquals(List.of(), stream.written());

            // When
            stream.trade("MMM", 7, T + 60_000);
            stream.advance(Duration.ofSeconds(2));

            // Then
            List<Written> written = stream.written();
            assertEquals(List.of(T - 4_000, T - 3_000, T - 2_000, T - 1_000, T), starts(written));
            assertTrue(written.stream().allMatch(w -> w.isFinal() && w.count() == 2));
            assertEquals(5, stream.count("stockstats.windows.emitted"));
        }
    }

    @Test
    void aChangedWindowIsWrittenOncePerEmission() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: many trades in neighbouring panes of two tickers
            for (int i = 0; i < 100; i++) {
                stream.trade(i % 2 == 0 ? "AAA" : "BBB", i + 1, T + i * 30L);
            }
            assertEquals(List.of(), stream.written(), "written before the emission");

            // When
            stream.advance(INTERVAL);

            // Then
            List<Written> written = stream.written();
            assertEquals(StreamUnderTest.lastOf(written).size(), written.size());
            assertEquals(2 * 7, written.size(), "windows that start from T - 4000 to T + 2000");
            Map<WindowId, Written> last = StreamUnderTest.lastOf(written);
            assertEquals(
                    50, StreamUnderTest.window(last, new WindowId("AAA", T)).count());
            assertEquals(
                    17,
                    StreamUnderTest.window(last, new WindowId("AAA", T - 4_000)).count());
        }
    }

    @Test
    void anUnchangedWindowIsNotWrittenAgain() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("MMM", 5, T);
            stream.advance(INTERVAL);
            stream.written();

            // When: the new trade shares the windows that start from T - 1000 on
            stream.trade("MMM", 5, T + 3_000);
            stream.advance(INTERVAL);

            // Then
            List<Written> written = stream.written();
            assertEquals(List.of(T - 1_000, T, T + 1_000, T + 2_000, T + 3_000), starts(written));
            assertEquals(
                    List.of(2L, 2L, 1L, 1L, 1L),
                    written.stream().map(Written::count).toList());
            stream.advance(Duration.ofSeconds(5));
            assertEquals(List.of(), stream.written());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {200, 450, 1_000})
    void aWindowIsUpdatedAtMostOncePerInterval(long interval) {
        try (StreamUnderTest stream = new StreamUnderTest(
                new SettingsBuilder().emitInterval(Duration.ofMillis(interval)).build())) {
            // Given
            Map<WindowId, Long> lastAt = new HashMap<>();
            int updates = 0;

            // When: a trade every 10 ms for five seconds of the wall clock
            for (int i = 0; i < 500; i++) {
                stream.trade("MMM", 5, T + i);
                stream.advance(Duration.ofMillis(10));
                long now = stream.wallClock();

                // Then
                for (Written window : stream.written()) {
                    updates++;
                    Long before = lastAt.put(window.id(), now);
                    assertTrue(
                            before == null || now - before >= interval,
                            () -> window.id() + " after " + (now - before) + " ms");
                }
            }
            long emissions = updates / 5;
            assertTrue(
                    emissions >= 5_000 / (interval + Math.max(10, interval / 4)) && emissions <= 5_000 / interval + 1,
                    () -> emissions + " emissions in 5 s");
        }
    }

    @Test
    void nothingIsWrittenForWindowsWithoutATrade() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: a gap of a minute between two trades
            stream.trade("MMM", 5, T);
            stream.trade("MMM", 5, T + 60_000);

            // When
            stream.trade("MMM", 5, T + 200_000);
            stream.advance(INTERVAL);

            // Then
            List<Written> written = stream.written();
            assertTrue(written.stream().allMatch(w -> w.count() >= 1));
            assertEquals(
                    List.of(
                            -4_000L, -3_000L, -2_000L, -1_000L, 0L, 56_000L, 57_000L, 58_000L, 59_000L, 60_000L,
                            196_000L, 197_000L, 198_000L, 199_000L, 200_000L),
                    written.stream().map(w -> w.start() - T).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void aFinalWindowNeverChangesAndEveryWindowEndsFinal(long seed) {
        // Given
        Random random = new Random(seed);
        WindowRules rules = new WindowRules(5_000, 1_000, 2_000, 60_000);
        try (StreamUnderTest stream =
                new StreamUnderTest(new SettingsBuilder().rules(rules).build())) {
            Map<WindowId, Written> finals = new HashMap<>();
            Map<WindowId, Written> all = new HashMap<>();
            long streamTime = 0;

            // When
            for (int i = 0; i < 3_000; i++) {
                long time = i == 2_999 ? T + 300_000 : T + i * 20L - random.nextInt(6_000);
                streamTime = Math.max(streamTime, time);
                stream.trade("T" + random.nextInt(4), 1 + random.nextInt(100), time);
                stream.advance(Duration.ofMillis(random.nextInt(3) * 10L));

                // Then
                for (Written window : stream.written()) {
                    all.put(window.id(), window);
                    assertEquals(null, finals.get(window.id()), "written after it was final");
                    assertEquals(
                            window.start() + rules.size() + rules.grace() <= streamTime,
                            window.isFinal(),
                            () -> "final: " + window);
                    if (window.isFinal()) {
                        finals.put(window.id(), window);
                    }
                }
            }
            assertTrue(stream.count("stockstats.trades.late") > 100, "late trades must be part of this test");
            assertTrue(all.size() > 200);
            all.keySet().removeAll(finals.keySet());
            assertEquals(0, all.size(), () -> "windows that never became final: " + all);
        }
    }

    @Test
    void aFastTickersTimeMakesAnotherTickersWindowsFinal() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("AAA", 5, T);

            // When
            stream.trade("BBB", 5, T + 5_000 + GRACE);

            // Then
            List<Written> written = stream.written();
            assertEquals(5, written.size());
            assertTrue(written.stream().allMatch(w -> w.ticker().equals("AAA") && w.isFinal()));
        }
    }

    @Test
    void aSilentPartitionsWindowsAreClosedWhenIdleIsSet() {
        try (StreamUnderTest stream = new StreamUnderTest(
                new SettingsBuilder().idle(Duration.ofMinutes(1)).build())) {
            // Given
            stream.trade("MMM", 5, T);
            stream.advance(Duration.ofSeconds(59));
            assertFalse(stream.written().stream().anyMatch(Written::isFinal));

            // When
            stream.advance(Duration.ofSeconds(2));

            // Then
            List<Written> written = stream.written();
            assertEquals(List.of(T - 4_000, T - 3_000, T - 2_000, T - 1_000, T), starts(written));
            assertTrue(written.stream().allMatch(Written::isFinal));
            stream.trade("MMM", 5, T + 4_999);
            assertEquals(1, stream.count("stockstats.trades.late"), "for a closed window");
            stream.trade("MMM", 5, T + 5_000);
            assertEquals(2, stream.count("stockstats.trades"));
        }
    }

    @Test
    void withoutIdleASilentPartitionsWindowsStayOpen() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("MMM", 5, T);

            // When
            stream.advance(Duration.ofMinutes(2));

            // Then
            assertTrue(stream.written().stream().noneMatch(Written::isFinal));
        }
    }

    @Test
    void queriesAreToldThePartitionsTimes() {
        try (StreamUnderTest stream = new StreamUnderTest(
                new SettingsBuilder().idle(Duration.ofMinutes(1)).build())) {
            // Given
            assertEquals(PartitionTimes.Times.NONE, stream.times.of(0));

            // When
            stream.trade("MMM", 5, T + 700);
            stream.trade("MMM", 5, T);

            // Then
            assertEquals(new PartitionTimes.Times(T + 700, T + 700), stream.times.of(0));
            stream.advance(Duration.ofMinutes(2));
            assertEquals(new PartitionTimes.Times(T + 700, T + 5_000 + GRACE), stream.times.of(0));
        }
    }

    private static List<Written> ofTicker(String ticker, List<Written> windows) {
        return windows.stream().filter(w -> w.ticker().equals(ticker)).toList();
    }

    private static List<Long> starts(List<Written> windows) {
        return windows.stream().map(Written::start).toList();
    }
}
