package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Top lists as a stream, over partitions and through failures. */
class TopIT {

    private static final int PARTITIONS = 3;
    private static final List<String> TICKERS =
            IntStream.range(0, 9).mapToObj(i -> "T" + i).toList();

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @Test
    void theLastListOfEachWindowIsThatOfAllPartitionsHoweverOftenOneIsKilled() throws Exception {
        // Given trades in three partitions, and an instance that waits for the topic of the lists
        Topics topics = BENCH.freshTopics(PARTITIONS);
        String top = topics.trades() + "-top";
        Ledger ledger = new Ledger();
        Instance.Builder builder = BENCH.instance(topics)
                .with("stockstats.processing", "exactly-once")
                .with("stockstats.top.enabled", "true")
                .with("stockstats.topics.top", top)
                .with("stockstats.instance.name", "top");
        Instance first = builder.start().awaitServing();
        first.awaitAnswer("/q/health/ready", () -> assertEquals(top, first.readyData("missingTopics")));
        BENCH.create(new NewTopic(top, 1, (short) 1));
        first.awaitReady();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            Flow flow = new Flow(client, ledger, TICKERS, PARTITIONS, 3);

            // When it is killed in the middle, and goes on
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> client.records(top).stream()
                            .anyMatch(each -> text(each).contains("\"complete\":true")));
            first.kill();
            Instance second = builder.start().awaitReady();
            await().atMost(Duration.ofSeconds(60)).until(() -> second.metric("stockstats_trades_total") > 500);
            flow.stop();
            flow.end();

            // Then
            Map<Long, List<String>> expected = ledger.lowest(3, 10_000);
            assertTrue(expected.size() > 3, expected::toString);
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                Map<Long, JsonNode> last = new TreeMap<>();
                client.records(top).forEach(each -> {
                    JsonNode list = HttpAnswer.read(text(each), JsonNode.class);
                    long start = ByteBuffer.wrap(each.key()).getLong();
                    assertEquals(start, list.path("windowStart").asLong());
                    JsonNode before = last.put(start, list);
                    assertTrue(before == null || !before.path("complete").asBoolean(), "written after it was complete");
                });
                last.keySet()
                        .removeIf(start -> start
                                > expected.keySet().stream().max(Long::compare).orElseThrow());
                Map<Long, List<String>> said = new TreeMap<>();
                last.forEach((start, list) -> {
                    assertTrue(list.path("complete").asBoolean(), list::toString);
                    List<String> tickers = new ArrayList<>();
                    list.path("top")
                            .forEach(each -> tickers.add(each.path("ticker").asText()));
                    said.put(start, tickers);
                });
                assertEquals(expected, said);
            });
        }
    }

    private static String text(ConsumerRecord<byte[], byte[]> record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }
}
