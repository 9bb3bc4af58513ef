package io.stockstats.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.topology.StreamUnderTest.Written;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TradeFormat;
import io.stockstats.wire.WindowKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.streams.TopologyDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatsTopologyTest {

    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;

    // ---- names

    @ParameterizedTest
    @CsvSource({"false, UPDATES", "true, UPDATES", "true, FINAL"})
    void noNameOfANodeStoreOrTopicIsGenerated(boolean rekey, StatsConfig.Emit emit) {
        try (StreamUnderTest stream =
                new StreamUnderTest(settings(rekey).emit(emit).build(), format(rekey), StreamUnderTest.NOW)) {
            // When
            String description = stream.topology.describe().toString();

            // Then
            Matcher generated =
                    Pattern.compile("\\S*\\d{4,}\\S*|KSTREAM\\S*|KTABLE\\S*").matcher(description);
            assertEquals(
                    List.of(), generated.results().map(found -> found.group()).toList(), description);
        }
    }

    @Test
    void theNodesAreTheDocumentedOnes() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            Set<String> names = new TreeSet<>();

            // When
            for (TopologyDescription.Subtopology each :
                    stream.topology.describe().subtopologies()) {
                each.nodes().forEach(node -> names.add(node.name()));
            }

            // Then
            assertEquals(Set.of("trades-in", "accepted", "rejected", "rejections", "windows", "output"), names);
        }
    }

    @Test
    void withoutRekeyTheOnlyInternalTopicIsTheChangelog() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // When
            everything(stream);

            // Then
            assertEquals(
                    Set.of("stockstats-output", "stocks-rejected", "stockstats-panes-changelog"),
                    stream.driver().producedTopicNames());
            assertEquals(Set.of("panes"), stream.driver().getAllStateStores().keySet());
        }
    }

    @Test
    void withRekeyTheRepartitionTopicIsNamedByTicker() {
        try (StreamUnderTest stream = new StreamUnderTest(settings(true).build(), format(true), StreamUnderTest.NOW)) {
            // When
            everything(stream);

            // Then
            assertEquals(
                    Set.of(
                            "stockstats-output",
                            "stocks-rejected",
                            "stockstats-panes-changelog",
                            "stockstats-by-ticker-repartition"),
                    stream.driver().producedTopicNames());
        }
    }

    // ---- rekey

    @Test
    void withRekeyAnyKeyIsFine() {
        try (StreamUnderTest stream = new StreamUnderTest(settings(true).build(), format(true), StreamUnderTest.NOW)) {
            // Given
            byte[] trade = StreamUnderTest.json("MMM", "5.25", "2", "ASK", Long.toString(T + 7));

            // When: no key, another, one that is not text, and the ticker
            stream.send(null, trade);
            stream.send("AAPL".getBytes(UTF_8), trade);
            stream.send(new byte[] {(byte) 0xFF}, trade);
            stream.send("MMM".getBytes(UTF_8), trade);
            stream.advance(Duration.ofMillis(200));

            // Then
            List<Written> written = stream.written();
            assertEquals(5, written.size());
            assertTrue(written.stream().allMatch(w -> w.ticker().equals("MMM") && w.count() == 4));
            assertEquals(8, written.get(0).number("volume"));
            assertEquals("ASK", written.get(0).stats().get("type").textValue());
            assertEquals(T + 7, written.get(0).timestamp());
            assertEquals(List.of(), stream.rejected());
        }
    }

    // ---- what does not count

    @Test
    void tradesOfOtherTypesAreSkippedAndNotRejected() {
        TradeFormat asksOnly = new TradeFormat(
                TradeFormat.STOCKSTATS.fields(),
                TradeFormat.STOCKSTATS.timestampUnit(),
                Set.of("ASK"),
                false,
                TradeFormat.STOCKSTATS.earliest(),
                TradeFormat.STOCKSTATS.maxFuture());
        try (StreamUnderTest stream =
                new StreamUnderTest(new SettingsBuilder().build(), asksOnly, StreamUnderTest.NOW)) {
            // When: a skipped trade's time must not count either
            stream.trade("MMM", "1", "1", "ASK", Long.toString(T));
            stream.trade("MMM", "2", "1", "BID", Long.toString(T + 100_000));
            stream.trade("MMM", "3", "1", null, Long.toString(T + 100_000));
            stream.trade("MMM", "4", "1", "ASK", Long.toString(T));
            stream.advance(Duration.ofMillis(200));

            // Then
            assertEquals(2, stream.count("stockstats.trades.skipped", "reason", "type"));
            assertEquals(0, stream.count("stockstats.trades.skipped", "reason", "frame"));
            assertEquals(2, stream.count("stockstats.trades"));
            assertEquals(0, stream.count("stockstats.trades.late"));
            assertEquals(List.of(), stream.rejected());
            List<Written> written = stream.written();
            assertEquals(5, written.size());
            assertTrue(written.stream().allMatch(w -> w.count() == 2 && w.number("sumPrice") == 5));
        }
    }

    // ---- partitions of the output topic

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6, 7, 100})
    void oneTickersWindowsStayInThePartitionThatItsKeyWouldHave(int partitions) {
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            // Given
            Ticker ticker = new Ticker("币/" + i);
            int expected = BuiltInPartitioner.partitionForKey(ticker.symbol().getBytes(UTF_8), partitions);
            used.add(expected);

            for (long start = T; start < T + 10_000; start += 1_000) {
                PaneStats stats = PaneStats.of(new Trade(ticker, 1, 1, null, start * 1_000_000), 0);
                WindowStats window = new WindowStats(ticker, Window.startingAt(start, 5_000), false, stats);

                // When
                Optional<Set<Integer>> chosen = StatsTopology.byTicker()
                        .partitions("stockstats-output", new WindowKey(ticker, start), window, partitions);

                // Then
                assertEquals(Optional.of(Set.of(expected)), chosen);
            }
        }
        assertTrue(used.size() > partitions / 2, "tickers must spread");
    }

    private static void everything(StreamUnderTest stream) {
        stream.trade("MMM", 1, T);
        stream.send(null, null);
        stream.advance(Duration.ofMillis(200));
    }

    private static SettingsBuilder settings(boolean rekey) {
        return rekey ? new SettingsBuilder().rekey() : new SettingsBuilder();
    }

    private static TradeFormat format(boolean rekey) {
        return new TradeFormat(
                TradeFormat.STOCKSTATS.fields(),
                TradeFormat.STOCKSTATS.timestampUnit(),
                Set.of(),
                rekey,
                TradeFormat.STOCKSTATS.earliest(),
                TradeFormat.STOCKSTATS.maxFuture());
    }
}
