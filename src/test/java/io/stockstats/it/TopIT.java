package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Top lists over all partitions, from the packaged application. */
class TopIT {

    private static final int PARTITIONS = 3;
    private static final long WINDOW = 10_000;
    private static final List<String> TICKERS = List.of("MMM", "ABT", "BRK.B", "BTC/USDT", "ACN", "AES", "AET");

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    /** What the topic holds, with the fields that the contract names, and no other. */
    record Top(
            @JsonProperty(required = true) long windowStart,
            @JsonProperty(required = true) long windowEnd,
            @JsonProperty(required = true) String by,
            @JsonProperty(required = true) String order,
            @JsonProperty(required = true) List<WindowJson> top,
            @JsonProperty(required = true) boolean complete) {}

    @ParameterizedTest
    @CsvSource({"exactly-once, 3", "at-least-once, 5"})
    void theLastListOfEachWindowIsTheOraclesAndComplete(String processing, long seed) throws Exception {
        // Given trades in three partitions, and an instance that is killed among them
        Topics topics = BENCH.freshTopics(PARTITIONS);
        String lists = topics.output() + "-top";
        BENCH.create(new NewTopic(lists, 2, (short) 1).configs(Map.of("cleanup.policy", "compact,delete")));
        Ledger ledger = new Ledger();
        Instance.Builder builder = BENCH.instance(topics)
                .with("stockstats.processing", processing)
                .with("stockstats.top.enabled", "true")
                .with("stockstats.topics.top", lists)
                .with("kafka-streams.group.instance.id", "top");
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            Flow flow = new Flow(client, ledger, TICKERS, PARTITIONS, seed);
            Instance first = builder.start().awaitReady();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> tops(client, lists).values().stream().anyMatch(Top::complete));

            // When
            first.kill();
            Instance second = builder.start().awaitReady();
            flow.stop();
            flow.end();

            // Then
            Map<Long, Top> expected = oracle(ledger);
            assertTrue(expected.size() > 3, expected::toString);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        Map<Long, Top> last = tops(client, lists);
                        last.keySet().removeIf(start -> !expected.containsKey(start));
                        if (processing.equals("exactly-once")) {
                            assertEquals(expected, last);
                        } else {
                            assertSameButForTradesThatCountTwice(expected, last);
                        }
                    });
            assertFalse(second.log().contains("a stream thread died"), "a stream thread died");
        }
    }

    @Test
    void readinessNamesTheTopicThatIsMissingWhereListsAreWritten() {
        // Given
        Topics topics = BENCH.freshTopics(1);
        String lists = topics.output() + "-top";

        // When
        Instance instance = BENCH.instance(topics)
                .with("stockstats.top.enabled", "true")
                .with("stockstats.topics.top", lists)
                .start()
                .awaitServing();

        // Then
        instance.awaitAnswer("/q/health/ready", () -> assertEquals(lists, instance.readyData("missingTopics")));
        assertEquals("DOWN", instance.health("ready"));
        BENCH.create(new NewTopic(lists, 1, (short) 1));
        instance.awaitReady();
    }

    private static Map<Long, Top> oracle(Ledger ledger) {
        Map<Long, Top> tops = new TreeMap<>();
        ledger.tumbling(WINDOW).forEach((start, windows) -> {
            List<WindowJson> ranked = new ArrayList<>(windows);
            ranked.sort(Comparator.comparingDouble(WindowJson::minPrice).thenComparing(WindowJson::ticker));
            tops.put(
                    start,
                    new Top(
                            start,
                            start + WINDOW,
                            "minPrice",
                            "asc",
                            List.copyOf(ranked.subList(0, Math.min(3, ranked.size()))),
                            true));
        });
        return tops;
    }

    /** By the lowest price, a trade that counts twice changes no place on the list. */
    private static void assertSameButForTradesThatCountTwice(Map<Long, Top> expected, Map<Long, Top> last) {
        assertEquals(expected.keySet(), last.keySet());
        last.forEach((start, list) -> {
            List<WindowJson> oracle = expected.get(start).top();
            assertTrue(list.complete(), list::toString);
            assertEquals(
                    oracle.stream().map(WindowJson::ticker).toList(),
                    list.top().stream().map(WindowJson::ticker).toList());
            for (int i = 0; i < oracle.size(); i++) {
                list.top().get(i).assertAtLeast(oracle.get(i));
            }
        });
    }

    /** The last list of each window, read committed. */
    private static Map<Long, Top> tops(TopicClient client, String topic) {
        Map<Long, Top> last = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> record : client.records(topic)) {
            Top list = HttpAnswer.read(new String(record.value(), StandardCharsets.UTF_8), Top.class);
            assertArrayEquals(
                    ByteBuffer.allocate(Long.BYTES).putLong(list.windowStart()).array(), record.key());
            last.put(list.windowStart(), list);
        }
        return last;
    }
}
