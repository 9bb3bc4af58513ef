package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatestWindowsTest {

    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;
    private static final long GRACE = 30_000;
    private static final Duration TICK = Duration.ofMillis(100);

    @ParameterizedTest
    @EnumSource
    void aChangedTickersLatestWindowIsHandedOverWithinATenthOfASecondWhateverIsEmitted(StatsConfig.Emit emit) {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder()
                .emit(emit)
                .emitInterval(Duration.ofMinutes(10))
                .build())) {
            // Given
            stream.latest.wanted = true;
            stream.advance(TICK);

            // When: of the panes [T - 1000, T), [T + 2000, T + 3000) and [T + 4000, T + 5000) the window holds the last
            // two
            stream.trade("MMM", 1, T - 1);
            stream.trade("MMM", 3, T + 4_000);
            stream.trade("MMM", 2, T + 2_500);
            stream.advance(TICK);

            // Then
            List<WindowStats> handed = stream.latest.drain();
            assertEquals(1, handed.size(), handed::toString);
            WindowStats latest = handed.get(0);
            assertEquals(new Ticker("MMM"), latest.ticker());
            assertEquals(new Window(T, T + 5_000), latest.window());
            assertEquals(2, latest.stats().count());
            assertEquals(2, latest.stats().first().price());
            assertEquals(3, latest.stats().last().price());
            assertFalse(latest.isFinal());
        }
    }

    @Test
    void whatDidNotChangeIsNotHandedOverAgain() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.latest.wanted = true;
            stream.trade("AAA", 1, T);
            stream.trade("BBB", 1, T);
            stream.advance(TICK);
            assertEquals(2, stream.latest.drain().size());

            // When
            stream.trade("BBB", 2, T + 1);
            stream.advance(Duration.ofSeconds(1));

            // Then
            assertEquals(List.of(new Ticker("BBB")), tickers(stream.latest.drain()));
        }
    }

    @Test
    void nothingIsHandedOverWhileNobodyWantsItAndOnlyTicksAsk() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.advance(TICK);
            int asked = stream.latest.asked;

            // When
            for (int i = 0; i < 100; i++) {
                stream.trade("MMM", 5, T + i);
            }

            // Then
            assertEquals(asked, stream.latest.asked);
            stream.advance(Duration.ofSeconds(1));
            assertEquals(List.of(), stream.latest.drain());
            assertTrue(stream.latest.asked > asked);
        }
    }

    @Test
    void whatCameBeforeAnybodyWantedItIsHandedOverOnceSomebodyDoes() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: by the time of the trade of BBB, all windows of OLD are final
            stream.trade("OLD", 1, T);
            stream.trade("AAA", 1, T + 60_000);
            stream.trade("BBB", 1, T + 60_000);
            stream.advance(TICK);

            // When
            stream.latest.wanted = true;
            stream.advance(TICK);

            // Then
            assertEquals(List.of(new Ticker("AAA"), new Ticker("BBB")), tickers(stream.latest.drain()));
        }
    }

    @Test
    void aLatestWindowIsHandedOverOnceMoreWhenItBecomesFinal() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: the latest window of MMM ends at T + 1000
            stream.latest.wanted = true;
            stream.trade("MMM", 5, T - 3_500);
            stream.trade("MMM", 7, T);
            stream.advance(TICK);
            stream.latest.drain();

            // When
            stream.trade("OTHER", 1, T + 1_000 + GRACE - 1);
            List<WindowStats> justBefore = ofTicker("MMM", stream.latest.drain());
            stream.trade("OTHER", 1, T + 1_000 + GRACE);
            stream.advance(TICK);

            // Then
            assertEquals(List.of(), justBefore);
            List<WindowStats> handed = ofTicker("MMM", stream.latest.drain());
            assertEquals(1, handed.size(), handed::toString);
            assertTrue(handed.get(0).isFinal());
            assertEquals(new Window(T - 4_000, T + 1_000), handed.get(0).window());
            assertEquals(2, handed.get(0).stats().count());
        }
    }

    @Test
    void aChangeWhosePanesAreGoneAtTheNextTickIsHandedOverAsFinal() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.latest.wanted = true;
            stream.advance(TICK);

            // When
            stream.trade("MMM", 5, T);
            stream.trade("OTHER", 1, T + 300_000);
            stream.advance(TICK);

            // Then
            List<WindowStats> handed = ofTicker("MMM", stream.latest.drain());
            assertEquals(1, handed.size(), handed::toString);
            assertTrue(handed.get(0).isFinal());
        }
    }

    @Test
    void aSilentPartitionsLatestWindowIsHandedOverAsFinalWhenItIsClosed() {
        try (StreamUnderTest stream = new StreamUnderTest(
                new SettingsBuilder().idle(Duration.ofMinutes(1)).build())) {
            // Given
            stream.latest.wanted = true;
            stream.trade("MMM", 5, T);
            stream.advance(Duration.ofSeconds(59));
            assertEquals(
                    List.of(false),
                    stream.latest.drain().stream().map(WindowStats::isFinal).toList());

            // When
            stream.advance(Duration.ofSeconds(2));

            // Then
            assertEquals(
                    List.of(true),
                    stream.latest.drain().stream().map(WindowStats::isFinal).toList());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsHandedOverLastIsWhatTheOutputTopicHasOfThatWindow(long seed) {
        // Given
        Random random = new Random(seed);
        WindowRules rules = new WindowRules(5_000, 1_000, 2_000, 60_000);
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder()
                .rules(rules)
                .emitInterval(Duration.ofMillis(10))
                .build())) {
            Map<Ticker, WindowStats> latest = new HashMap<>();
            Map<StreamUnderTest.WindowId, StreamUnderTest.Written> output = new HashMap<>();
            Map<String, Long> newest = new HashMap<>();

            // When: trades out of order, some late, while somebody comes and goes
            for (int i = 0; i < 2_000; i++) {
                String ticker = "T" + random.nextInt(4);
                long time = T + i * 20L - random.nextInt(4_000);
                double before = stream.count("stockstats.trades.late");
                stream.trade(ticker, 1 + random.nextInt(100), time);
                if (stream.count("stockstats.trades.late") == before) {
                    newest.merge(ticker, time, Math::max);
                }
                if (random.nextInt(100) == 0) {
                    stream.latest.wanted = !stream.latest.wanted;
                }
                stream.advance(Duration.ofMillis(random.nextInt(3) * 10L));
                stream.latest.drain().forEach(window -> latest.put(window.ticker(), window));
            }
            stream.latest.wanted = true;
            stream.advance(TICK);
            stream.latest.drain().forEach(window -> latest.put(window.ticker(), window));
            output.putAll(StreamUnderTest.lastOf(stream.written()));

            // Then
            assertEquals(newest.size(), latest.size());
            for (WindowStats window : latest.values()) {
                String symbol = window.ticker().symbol();
                assertEquals(
                        rules.paneStart(newest.getOrDefault(symbol, 0L)) + 1_000,
                        window.window().end(),
                        symbol);
                StreamUnderTest.Written written = StreamUnderTest.window(
                        output,
                        new StreamUnderTest.WindowId(symbol, window.window().start()));
                assertEquals(written.count(), window.stats().count());
                assertEquals(written.isFinal(), window.isFinal());
                assertEquals(written.number("closePrice"), window.stats().last().price());
            }
        }
    }

    private static List<Ticker> tickers(List<WindowStats> windows) {
        return windows.stream().map(WindowStats::ticker).toList();
    }

    private static List<WindowStats> ofTicker(String ticker, List<WindowStats> windows) {
        return windows.stream()
                .filter(window -> window.ticker().symbol().equals(ticker))
                .toList();
    }
}
