package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TopListJson;
import io.stockstats.wire.TopPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Top lists as a stream: one partition from trade to list, and the merger by itself for several partitions. */
class TopListsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long T = 1_764_512_990_000L;
    private static final long WINDOW = 10_000;
    private static final long GRACE = 30_000;
    private static final TopSettings LOWEST =
            new TopSettings("stockstats-top", new Ranking(Ranking.By.MIN_PRICE, false), 3, WINDOW);

    // One partition.

    private static StreamUnderTest stream(TopSettings top) {
        return new StreamUnderTest(new SettingsBuilder().top(top).build());
    }

    @Test
    void a_list_is_written_when_it_changes_and_completed_when_its_window_is_closed() {
        try (StreamUnderTest stream = stream(LOWEST)) {
            TestOutputTopic<Long, byte[]> lists = lists(stream);

            // Given four tickers, one of them in two of the window's panes
            stream.trade("A", 5, T + 9_999);
            stream.trade("B", 4, T);
            stream.trade("C", 3, T + 500);
            stream.trade("D", 9, T + 500);
            stream.trade("D", 2, T + 7_500);
            stream.advance(Duration.ofMillis(200));
            assertEquals(List.of(T + ": D C B"), read(lists));

            // When nothing changes, or nothing that the list has
            stream.advance(Duration.ofSeconds(5));
            stream.trade("E", 100, T + 1);
            stream.advance(Duration.ofSeconds(5));
            assertEquals(List.of(), read(lists));

            // And when something does, and then the window closes
            stream.trade("A", 1, T + 3_000);
            stream.trade("E", 50, T + WINDOW + GRACE - 1);
            assertEquals(List.of(), read(lists));
            stream.trade("E", 50, T + WINDOW + GRACE);

            // Then it is complete at once, and never written again
            assertEquals(List.of(T + ": A D C", T + ": A D C complete"), read(lists));
            stream.trade("LATE", 0.5, T + 5_000);
            stream.advance(Duration.ofSeconds(5));
            List<String> after = read(lists);
            assertTrue(after.stream().noneMatch(list -> list.startsWith(T + ":")), after::toString);
        }
    }

    @Test
    void a_list_has_the_answer_s_form_and_its_newest_trade_s_time() throws IOException {
        try (StreamUnderTest stream = stream(LOWEST)) {
            TestOutputTopic<Long, byte[]> lists = lists(stream);
            stream.trade("A", 5, T + 7_001);
            stream.trade("A", 4, T + 1);
            stream.advance(Duration.ofMillis(200));

            TestRecord<Long, byte[]> record = lists.readRecord();

            assertEquals(T, record.key());
            assertEquals(T + 7_001, record.timestamp());
            JsonNode list = JSON.readTree(record.value());
            List<String> names = new ArrayList<>();
            list.fieldNames().forEachRemaining(names::add);
            assertEquals(List.of("windowStart", "windowEnd", "by", "order", "top", "complete"), names);
            assertEquals(T, list.get("windowStart").asLong());
            assertEquals(T + WINDOW, list.get("windowEnd").asLong());
            assertEquals(
                    "minPrice asc",
                    list.get("by").asText() + " " + list.get("order").asText());
            JsonNode first = list.get("top").get(0);
            assertEquals(17, first.size());
            assertEquals(2, first.get("countTrades").asInt());
            assertEquals(false, first.get("final").asBoolean());
        }
    }

    @Test
    void without_the_figure_a_ticker_is_in_no_list() {
        TopSettings vwap = new TopSettings("stockstats-top", new Ranking(Ranking.By.VWAP, true), 3, WINDOW);
        try (StreamUnderTest stream = stream(vwap)) {
            TestOutputTopic<Long, byte[]> lists = lists(stream);
            stream.trade("NONE", "9", "0", null, Long.toString(T));
            stream.trade("SOME", "1", "2", null, Long.toString(T));

            stream.advance(Duration.ofMillis(200));

            assertEquals(List.of(T + ": SOME"), read(lists));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatever_the_order_of_trades_the_last_list_of_each_window_is_that_of_its_trades(long seed) {
        // Given trades that come out of order, but none late
        Random random = new Random(seed);
        TopSettings top = new TopSettings("stockstats-top", new Ranking(Ranking.By.TURNOVER, true), 2, WINDOW);
        Map<Long, Map<String, Double>> turnover = new TreeMap<>();
        try (StreamUnderTest stream = stream(top)) {
            TestOutputTopic<Long, byte[]> lists = lists(stream);
            for (int i = 0; i < 2_000; i++) {
                long at = T + 50L * i - random.nextInt(25_000);
                String ticker = "T" + random.nextInt(6);
                double price = 1 + random.nextInt(100);
                stream.trade(ticker, price, at);
                turnover.computeIfAbsent(Math.floorDiv(at, WINDOW) * WINDOW, any -> new HashMap<>())
                        .merge(ticker, price, Double::sum);
                if (random.nextInt(10) == 0) {
                    stream.advance(Duration.ofMillis(random.nextInt(500)));
                }
            }
            stream.trade("END", 1, T + 10 * 60_000);

            // When
            Map<Long, String> last = new TreeMap<>();
            for (TestRecord<Long, byte[]> each : lists.readRecordsToList()) {
                last.put(each.key(), said(each));
            }
            last.remove(T + 10 * 60_000);

            // Then
            Map<Long, String> expected = new TreeMap<>();
            turnover.forEach((start, sums) -> expected.put(
                    start,
                    start + ":"
                            + sums.entrySet().stream()
                                    .sorted(Map.Entry.<String, Double>comparingByValue()
                                            .reversed()
                                            .thenComparing(Map.Entry.comparingByKey()))
                                    .limit(2)
                                    .map(each -> " " + each.getKey())
                                    .reduce("", String::concat)
                            + " complete"));
            assertEquals(expected, last);
        }
    }

    // Several partitions.

    /** The merger alone, in a stream of its own. */
    private static final class Merger implements AutoCloseable {
        private final StateFolder state = new StateFolder();
        private final TopologyTestDriver driver;
        private final TestInputTopic<Integer, byte[]> parts;
        private final TestOutputTopic<Long, byte[]> lists;

        Merger(int partitions) {
            Topology topology = new Topology();
            topology.addSource("parts", new IntegerDeserializer(), (topic, bytes) -> TopPart.parse(bytes), "parts");
            topology.addProcessor("merger", () -> new TopMerger(LOWEST, 900_000, () -> partitions), "parts");
            topology.addStateStore(TopMerger.builder(StatsConfig.Store.IN_MEMORY), "merger");
            topology.addSink(
                    "lists", "lists", new LongSerializer(), (String topic, TopListJson list) -> list.bytes(), "merger");
            Properties properties = new Properties();
            properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "merger");
            properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
            driver = new TopologyTestDriver(topology, properties, Instant.ofEpochMilli(T));
            parts = driver.createInputTopic("parts", new IntegerSerializer(), new ByteArraySerializer());
            lists = driver.createOutputTopic("lists", new LongDeserializer(), new ByteArrayDeserializer());
        }

        Merger part(int partition, long start, WindowStats... first) {
            return tells(new TopPart(partition, Long.MIN_VALUE, start, Arrays.asList(first)));
        }

        Merger closed(int partition, long until) {
            return tells(new TopPart(partition, until, TopPart.NO_WINDOW, List.of()));
        }

        Merger tells(TopPart part) {
            parts.pipeInput(part.partition(), part.bytes(), T);
            return this;
        }

        List<String> read() {
            return TopListsTest.read(lists);
        }

        @Override
        public void close() {
            driver.close();
            state.close();
        }
    }

    private static WindowStats ticker(String symbol, double price, long start) {
        Ticker ticker = new Ticker(symbol);
        return new WindowStats(
                ticker,
                Window.startingAt(start, WINDOW),
                false,
                PaneStats.of(new Trade(ticker, price, 1, null, start * 1_000_000), 0));
    }

    @Test
    void a_list_is_complete_when_the_slowest_partition_has_closed_its_window() {
        try (Merger merger = new Merger(3)) {
            merger.part(0, T, ticker("A", 1, T), ticker("B", 5, T));
            merger.part(1, T, ticker("C", 2, T));
            merger.part(0, T + WINDOW, ticker("A", 7, T + WINDOW));
            assertEquals(List.of(T + ": A B", T + ": A C B", (T + WINDOW) + ": A"), merger.read());

            merger.closed(0, T + 2 * WINDOW);
            merger.closed(1, T + WINDOW);
            assertEquals(List.of(), merger.read(), "a partition has not been heard of");

            merger.closed(2, T + WINDOW);
            assertEquals(List.of(T + ": A C B complete"), merger.read());
            merger.closed(2, T + 5 * WINDOW);
            assertEquals(List.of(), merger.read());
            merger.closed(1, T + 5 * WINDOW);
            assertEquals(List.of((T + WINDOW) + ": A complete"), merger.read());
        }
    }

    @Test
    void a_part_that_comes_again_changes_no_list_that_is_complete() {
        try (Merger merger = new Merger(2)) {
            merger.part(0, T, ticker("A", 1, T));
            merger.part(1, T, ticker("B", 2, T));
            merger.closed(0, T + WINDOW);
            merger.closed(1, T + WINDOW);
            merger.read();

            // When a task starts again at what it had committed
            merger.part(1, T, ticker("B", 2, T));
            merger.closed(1, T);

            // Then
            assertEquals(List.of(), merger.read());
        }
    }

    @Test
    void a_part_that_changes_nothing_among_the_first_is_not_written() {
        try (Merger merger = new Merger(2)) {
            merger.part(0, T, ticker("A", 1, T), ticker("B", 1, T), ticker("C", 1, T));
            merger.part(1, T, ticker("D", 9, T));

            assertEquals(List.of(T + ": A B C"), merger.read());
        }
    }

    @Test
    void while_the_number_of_partitions_is_unknown_nothing_is_complete() {
        try (Merger merger = new Merger(0)) {
            merger.part(0, T, ticker("A", 1, T));
            merger.closed(0, T + WINDOW);

            assertEquals(List.of(T + ": A"), merger.read());
        }
    }

    @Test
    void windows_that_a_silent_partition_keeps_open_are_forgotten_in_the_end() {
        try (Merger merger = new Merger(2)) {
            merger.part(0, T, ticker("A", 1, T));
            merger.part(0, T + WINDOW, ticker("A", 1, T + WINDOW));
            merger.closed(0, T + WINDOW + 900_000);

            merger.driver.advanceWallClockTime(Duration.ofSeconds(1));

            List<Byte> kinds = new ArrayList<>();
            merger.driver
                    .<org.apache.kafka.common.utils.Bytes, byte[]>getKeyValueStore(TopMerger.STORE)
                    .all()
                    .forEachRemaining(entry -> kinds.add(entry.key.get()[0]));
            assertEquals(List.of((byte) 1, (byte) 2), kinds, "the second window, and how far the partition is");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whatever_the_order_of_parts_each_window_is_completed_once_with_the_first_of_all(long seed) {
        // Given four partitions that go on at their own pace, each of which has a ticker or two in most windows
        Random random = new Random(seed);
        int partitions = 4;
        int windows = 12;
        Map<Long, TreeSet<WindowStats>> expected = new TreeMap<>();
        List<List<TopPart>> told = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<TopPart> parts = new ArrayList<>();
            for (int i = 0; i < windows; i++) {
                long start = T + i * WINDOW;
                List<WindowStats> first = new ArrayList<>();
                for (int n = random.nextInt(3); n > 0; n--) {
                    first.add(ticker("P" + partition + "N" + n, 1 + random.nextInt(5), start));
                }
                first.sort(LOWEST.ranking());
                if (!first.isEmpty()) {
                    parts.add(new TopPart(partition, start, start, first));
                    expected.computeIfAbsent(start, any -> new TreeSet<>(LOWEST.ranking()))
                            .addAll(first);
                }
                parts.add(new TopPart(partition, start + WINDOW, TopPart.NO_WINDOW, List.of()));
            }
            told.add(parts);
        }

        // When
        List<String> complete = new ArrayList<>();
        try (Merger merger = new Merger(partitions)) {
            while (told.stream().anyMatch(parts -> !parts.isEmpty())) {
                List<TopPart> next = told.get(random.nextInt(partitions));
                if (!next.isEmpty()) {
                    merger.tells(next.remove(0));
                }
            }
            merger.read().stream().filter(list -> list.endsWith(" complete")).forEach(complete::add);
        }

        // Then
        assertEquals(
                expected.entrySet().stream()
                        .map(each -> each.getKey() + ":"
                                + each.getValue().stream()
                                        .limit(3)
                                        .map(window -> " " + window.ticker())
                                        .reduce("", String::concat)
                                + " complete")
                        .toList(),
                complete);
    }

    private static TestOutputTopic<Long, byte[]> lists(StreamUnderTest stream) {
        return stream.driver()
                .createOutputTopic("stockstats-top", Serdes.Long().deserializer(), new ByteArrayDeserializer());
    }

    private static List<String> read(TestOutputTopic<Long, byte[]> lists) {
        return lists.readRecordsToList().stream().map(TopListsTest::said).toList();
    }

    /** The window's start, its tickers in order, and whether it is complete. */
    private static String said(TestRecord<Long, byte[]> record) {
        try {
            JsonNode list = JSON.readTree(record.value());
            boolean complete = list.get("complete").asBoolean();
            StringBuilder said = new StringBuilder(record.key() + ":");
            StreamSupport.stream(list.get("top").spliterator(), false).forEach(each -> {
                assertEquals(complete, each.get("final").asBoolean());
                said.append(' ').append(each.get("ticker").asText());
            });
            return said + (complete ? " complete" : "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
