package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowRules;
import io.stockstats.topology.TopOracle.Top;
import io.stockstats.wire.TradeFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyDescription.Subtopology;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Top lists from trades, through both stages; the driver has one partition. */
class TopListsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** A multiple of 10 s. */
    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;

    private static final long GRACE = 30_000;
    private static final Duration INTERVAL = Duration.ofMillis(200);
    private static final TopRule LOWEST = new TopRule(new Ranking(Ranking.By.MIN_PRICE, false), 3, 10_000);

    // ---- shape

    @ParameterizedTest
    @CsvSource({"false, 2", "true, 3"})
    void theSecondStageComesLastSoThatTasksKeepTheirNumbers(boolean rekey, int parts) {
        // Given
        SettingsBuilder settings = rekey ? new SettingsBuilder().rekey() : new SettingsBuilder();

        try (StreamUnderTest without = stream(settings);
                StreamUnderTest with = stream(settings.top(LOWEST))) {
            // When
            Map<Integer, Set<String>> before = nodes(without);
            Map<Integer, Set<String>> after = nodes(with);

            // Then
            assertEquals(parts - 1, before.size());
            assertEquals(parts, after.size());
            before.forEach((id, names) -> assertTrue(
                    after.getOrDefault(id, Set.of()).containsAll(names), () -> id + ": " + before + " and " + after));
            Set<String> last = after.getOrDefault(parts - 1, Set.of());
            assertTrue(last.containsAll(Set.of("top-merger", "top")), last::toString);
            String description = with.topology.describe().toString();
            assertFalse(
                    Pattern.compile("\\d{4,}|KSTREAM|KTABLE")
                            .matcher(description)
                            .find(),
                    description);
        }
    }

    @Test
    void theTopicsAreTheDocumentedOnes() {
        try (StreamUnderTest stream = stream(new SettingsBuilder().top(LOWEST))) {
            // When
            stream.trade("MMM", 1, T);
            stream.advance(INTERVAL);

            // Then
            assertEquals(
                    Set.of(
                            "stockstats-output",
                            "stockstats-top",
                            "stockstats-top-lists-repartition",
                            "stockstats-panes-changelog",
                            "stockstats-top-lists-changelog"),
                    stream.driver().producedTopicNames());
        }
    }

    @Test
    void withoutListsNothingIsKeptOfThem() {
        try (StreamUnderTest stream = stream(new SettingsBuilder())) {
            // When
            stream.trade("MMM", 1, T);
            stream.advance(INTERVAL);

            // Then
            assertEquals(
                    Set.of("stockstats-output", "stockstats-panes-changelog"),
                    stream.driver().producedTopicNames());
            assertEquals(Set.of("panes"), stream.driver().getAllStateStores().keySet());
        }
    }

    // ---- one list

    @Test
    void aListHoldsTheFirstTickersOfItsTenSeconds() {
        try (Lists lists = new Lists(new SettingsBuilder().top(LOWEST))) {
            // Given
            lists.stream.trade("DEAR", 400, T + 1);
            lists.stream.trade("CHEAP", 100, T);
            lists.stream.trade("B", 200, T + 9_999);
            lists.stream.trade("A", 200, T + 5_000);
            lists.stream.trade("NEXT", 1, T + 10_000);

            // When
            lists.stream.advance(INTERVAL);

            // Then
            Map<Long, TestRecord<Long, byte[]>> last = lists.last();
            assertEquals(Set.of(T, T + 10_000), last.keySet());
            JsonNode list = json(last.get(T));
            assertEquals(
                    List.of("windowStart", "windowEnd", "by", "order", "top", "complete"),
                    list.properties().stream().map(Map.Entry::getKey).toList());
            assertEquals(T, list.get("windowStart").longValue());
            assertEquals(T + 10_000, list.get("windowEnd").longValue());
            assertEquals("minPrice", list.get("by").textValue());
            assertEquals("asc", list.get("order").textValue());
            assertFalse(list.get("complete").booleanValue());
            assertEquals(List.of("CHEAP", "A", "B"), tickers(list));
            assertEquals(T, list.get("top").get(0).get("windowStart").longValue());
            assertEquals(T + 10_000, list.get("top").get(0).get("windowEnd").longValue());
            assertEquals(T + 9_999, last.get(T).getRecordTime().toEpochMilli());
        }
    }

    @Test
    void aListIsWrittenAgainWhenItChangesAndOnlyThen() {
        try (Lists lists = new Lists(new SettingsBuilder().top(LOWEST))) {
            // Given
            for (String ticker : List.of("A", "B", "C")) {
                lists.stream.trade(ticker, 1, T);
            }
            lists.stream.advance(INTERVAL);
            lists.written();

            // When: a fourth ticker does not get onto the list, then one that is on it trades again
            lists.stream.trade("D", 2, T);
            lists.stream.advance(Duration.ofSeconds(1));
            List<TestRecord<Long, byte[]>> afterD = lists.written();
            lists.stream.trade("C", 3, T);
            lists.stream.advance(Duration.ofSeconds(1));
            List<TestRecord<Long, byte[]>> afterC = lists.written();

            // Then
            assertEquals(List.of(), afterD);
            assertEquals(1, afterC.size());
            assertEquals(
                    2, json(afterC.get(0)).get("top").get(2).get("countTrades").longValue());
        }
    }

    @Test
    void theTradeThatClosesAWindowWritesItsLastListAtOnce() {
        try (Lists lists = new Lists(new SettingsBuilder().top(LOWEST))) {
            // Given: the second trade has not been told of yet
            lists.stream.trade("A", 1, T);
            lists.stream.advance(INTERVAL);
            lists.stream.trade("B", 2, T + 9_999);
            lists.written();

            // When
            lists.stream.trade("C", 1, T + 10_000 + GRACE - 1);
            List<TestRecord<Long, byte[]>> justBefore = lists.written();
            lists.stream.trade("C", 1, T + 10_000 + GRACE);
            List<TestRecord<Long, byte[]>> at = lists.written();

            // Then
            assertEquals(List.of(), justBefore);
            JsonNode last = json(at.get(at.size() - 1));
            assertEquals(T, last.get("windowStart").longValue());
            assertTrue(last.get("complete").booleanValue());
            assertEquals(List.of("A", "B"), tickers(last));
            last.get("top").forEach(each -> assertTrue(each.get("final").booleanValue()));
            lists.stream.trade("LATE", 0.5, T + 8_999);
            lists.stream.advance(Duration.ofSeconds(30));
            assertFalse(lists.last().containsKey(T), "a complete list was written again");
        }
    }

    @Test
    void withoutVolumeATickerHasNoVwapAndIsNotListed() {
        TopRule byVwap = new TopRule(new Ranking(Ranking.By.VWAP, true), 2, 10_000);
        try (Lists lists = new Lists(new SettingsBuilder().top(byVwap))) {
            // Given
            lists.stream.trade("NONE", "9", "0", null, Long.toString(T + 7));

            // When
            lists.stream.advance(INTERVAL);
            TestRecord<Long, byte[]> empty = lists.last().get(T);
            lists.stream.trade("SOME", "5", "2", null, Long.toString(T + 8));
            lists.stream.advance(INTERVAL);
            JsonNode then = json(lists.last().get(T));

            // Then
            assertEquals(List.of(), tickers(json(empty)));
            assertEquals(T, empty.getRecordTime().toEpochMilli());
            assertEquals(List.of("SOME"), tickers(then));
        }
    }

    @Test
    void whatIsEmittedOfWindowsDoesNotMatterToLists() {
        try (Lists lists = new Lists(new SettingsBuilder().top(LOWEST).emit(StatsConfig.Emit.FINAL))) {
            // Given
            lists.stream.trade("A", 1, T);

            // When
            lists.stream.advance(INTERVAL);

            // Then
            assertEquals(Set.of(T), lists.last().keySet());
        }
    }

    @Test
    void aSilentPartitionsListsAreCompletedWithItsWindows() {
        try (Lists lists = new Lists(new SettingsBuilder().top(LOWEST).idle(Duration.ofMinutes(1)))) {
            // Given: the 5 s windows of the trade end at T + 6000, its list's window at T + 10000
            lists.stream.trade("A", 1, T + 1_000);
            lists.stream.advance(Duration.ofSeconds(59));
            assertFalse(json(lists.last().get(T)).get("complete").booleanValue());

            // When
            lists.stream.advance(Duration.ofSeconds(2));

            // Then: what comes later does not change it
            assertTrue(json(lists.last().get(T)).get("complete").booleanValue());
            lists.stream.trade("B", 0.5, T + 9_000);
            lists.stream.advance(INTERVAL);
            assertEquals(1, lists.stream.count("stockstats.trades.late"));
            assertFalse(lists.last().containsKey(T));
        }
    }

    // ---- any trades

    @ParameterizedTest
    @CsvSource({
        "MIN_PRICE, false, 3, 10000, 1",
        "MIN_PRICE, false, 3, 10000, 2",
        "MIN_PRICE, true, 1, 1000, 3",
        "VOLUME, true, 4, 10000, 4",
        "COUNT_TRADES, true, 100, 7000, 5",
        "VWAP, false, 3, 10000, 6",
        "VWAP, true, 2, 60000, 7"
    })
    void listsAreThoseOfTheOracleAtEachEmissionAndComplete(
            Ranking.By by, boolean descending, int n, long window, long seed) {
        // Given trades out of order, some late, with prices and sizes that are often equal, and many without size
        long grace = 4_000;
        TopOracle oracle = new TopOracle(window, grace, n, descending, trades -> switch (by) {
            case MIN_PRICE -> TopOracle.min(trades);
            case VOLUME -> TopOracle.volume(trades);
            case COUNT_TRADES -> trades.size();
            default -> TopOracle.vwap(trades);
        });
        Random random = new Random(seed);
        try (Lists lists = new Lists(new SettingsBuilder()
                .rules(new WindowRules(5_000, 1_000, grace, 120_000))
                .top(new TopRule(new Ranking(by, descending), n, window)))) {
            Map<Long, Top> written = new TreeMap<>();
            for (int i = 0; i < 1_500; i++) {
                String ticker = "T" + random.nextInt(8);
                double price = 1 + random.nextInt(16) / 4.0;
                double size = random.nextInt(3) == 0 ? 1 << random.nextInt(4) : 0;
                long at = T + i * 50L - random.nextInt(random.nextInt(20) == 0 ? 9_000 : 2_500);

                // When
                oracle.add(ticker, price, size, at);
                lists.stream.trade(ticker, Double.toString(price), Double.toString(size), null, Long.toString(at));

                // Then
                if (random.nextInt(50) == 0) {
                    lists.stream.advance(INTERVAL);
                    lists.last().forEach((start, list) -> written.put(start, Top.of(json(list))));
                    assertEquals(oracle.lists(), written);
                }
            }
            assertTrue(lists.stream.count("stockstats.trades.late") > 0);
            lists.stream.advance(INTERVAL);
            lists.last().forEach((start, list) -> written.put(start, Top.of(json(list))));
            assertEquals(oracle.lists(), written);
            assertTrue(written.values().stream().filter(Top::complete).count() >= 1_500 * 50 / window - 2, "too few");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noRecordFollowsACompleteOneOfItsKey(long seed) {
        // Given
        Random random = new Random(seed);
        Set<Long> complete = new TreeSet<>();
        try (Lists lists = new Lists(new SettingsBuilder()
                .rules(new WindowRules(5_000, 1_000, 1_000, 120_000))
                .top(LOWEST))) {
            // When
            for (int i = 0; i < 1_000; i++) {
                lists.stream.trade(
                        "T" + random.nextInt(20), 1 + random.nextInt(100), T + i * 100L - random.nextInt(3_000));
                lists.stream.advance(Duration.ofMillis(random.nextInt(4) * 20L));
                // Then
                for (TestRecord<Long, byte[]> list : lists.written()) {
                    assertFalse(complete.contains(list.key()), () -> list.key() + " was complete");
                    if (json(list).get("complete").booleanValue()) {
                        complete.add(list.key());
                    }
                }
            }
            assertTrue(complete.size() >= 8, complete::toString);
        }
    }

    // ---- fixture

    private static StreamUnderTest stream(SettingsBuilder settings) {
        TopologySettings built = settings.build();
        TradeFormat format = new TradeFormat(
                TradeFormat.STOCKSTATS.fields(),
                TradeFormat.STOCKSTATS.timestampUnit(),
                Set.of(),
                built.rekey(),
                TradeFormat.STOCKSTATS.earliest(),
                TradeFormat.STOCKSTATS.maxFuture());
        return new StreamUnderTest(built, format, StreamUnderTest.NOW);
    }

    private static Map<Integer, Set<String>> nodes(StreamUnderTest stream) {
        Map<Integer, Set<String>> nodes = new TreeMap<>();
        for (Subtopology part : stream.topology.describe().subtopologies()) {
            part.nodes()
                    .forEach(node -> nodes.computeIfAbsent(part.id(), id -> new TreeSet<>())
                            .add(node.name()));
        }
        return nodes;
    }

    private static JsonNode json(TestRecord<Long, byte[]> list) {
        try {
            return JSON.readTree(list.value());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> tickers(JsonNode list) {
        List<String> tickers = new ArrayList<>();
        list.get("top").forEach(each -> tickers.add(each.get("ticker").textValue()));
        return tickers;
    }

    /** A stream that writes lists, whose partition is the only one. */
    private static final class Lists implements AutoCloseable {

        final StreamUnderTest stream;
        private final TestOutputTopic<Long, byte[]> topic;

        Lists(SettingsBuilder settings) {
            stream = stream(settings);
            stream.partitions.set(1);
            topic = stream.driver()
                    .createOutputTopic("stockstats-top", new LongDeserializer(), new ByteArrayDeserializer());
        }

        /** What was written since the last call, in order. */
        List<TestRecord<Long, byte[]>> written() {
            return topic.readRecordsToList();
        }

        /** The last list of each window that was written since the last call. */
        Map<Long, TestRecord<Long, byte[]>> last() {
            Map<Long, TestRecord<Long, byte[]>> last = new TreeMap<>();
            written().forEach(list -> last.put(list.key(), list));
            return last;
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
