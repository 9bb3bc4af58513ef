package io.stockstats.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.stockstats.dev.EmbeddedBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The contract tried in a few seconds, whatever the service was built into: it is known by its address and its broker
 * only. {@link #trade} comes first, and once; what is asserted then holds after every restart, too.
 */
final class Smoke {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] NO_TRADE = "no trade".getBytes(UTF_8);

    /** What producers may choose: the libraries of two of them are unpacked and loaded when the first such trade comes. */
    private static final List<String> COMPRESSIONS = List.of("none", "gzip", "lz4", "snappy", "zstd");

    private final String address;
    private final EmbeddedBroker broker;
    private final Topics topics;
    private final Ledger ledger = new Ledger();

    /** @param topics ones that exist and that no other test uses; that of trades has two partitions or more */
    Smoke(String address, EmbeddedBroker broker, Topics topics) {
        this.address = address;
        this.broker = broker;
        this.topics = topics;
    }

    /** Sends trades of two tickers, in every compression, and a record that is none. */
    void trade() {
        long at = System.currentTimeMillis();
        for (int i = 0; i < COMPRESSIONS.size(); i++) {
            try (TopicClient client = new TopicClient(broker, topics, COMPRESSIONS.get(i))) {
                client.sendAll(0, ledger, List.of(Sale.of("MMM", "10." + 25 * (i % 4), 1 + i, at + i)));
            }
        }
        try (TopicClient client = new TopicClient(broker, topics)) {
            client.sendAll(1, ledger, List.of(Sale.of("BTC/USDT", "5.5", 1, at)));
            client.send(new ProducerRecord<>(topics.trades(), 0, "MMM".getBytes(UTF_8), NO_TRADE));
        }
    }

    /** That all trades are counted, over HTTP and on the output topic. */
    void assertAnswers() {
        WindowJson latest = ledger.latest("MMM", 5_000, false);
        await("the latest window at " + address)
                .atMost(PATIENCE)
                .untilAsserted(() -> assertEquals(latest, window("/stats/MMM")));
        assertEquals(ledger.latest("MMM", 60_000, false), window("/stats/MMM?window=PT1M"));
        assertEquals(ledger.latest("BTC/USDT", 5_000, false), window("/stats/BTC%2FUSDT"));

        JsonNode all = get("/stats").assertOk().json();
        assertEquals(List.of("BTC/USDT", "MMM"), all.path("stats").findValuesAsText("ticker"));
        assertEquals(
                List.of("MMM", "BTC/USDT"),
                get("/top?window=PT1M").assertOk().json().path("top").findValuesAsText("ticker"));
        get("/stats/XYZ").assertProblem(404, null);

        try (TopicClient client = new TopicClient(broker, topics)) {
            Map<String, WindowJson> expected = ledger.windows(false);
            await("windows on " + topics.output())
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertEquals(expected, Map.copyOf(client.lastWindows())));
        }
    }

    /** That what is no trade lies aside, once, as it came and with the reason. */
    void assertRejected() {
        try (TopicClient client = new TopicClient(broker, topics)) {
            await("the record on " + topics.rejected())
                    .atMost(PATIENCE)
                    .until(() -> !client.records(topics.rejected()).isEmpty());
            List<ConsumerRecord<byte[], byte[]>> rejected = client.records(topics.rejected());
            assertEquals(1, rejected.size());
            assertArrayEquals(NO_TRADE, rejected.get(0).value());
            assertEquals(
                    "malformed",
                    new String(
                            rejected.get(0)
                                    .headers()
                                    .lastHeader("stockstats.reason")
                                    .value(),
                            UTF_8));
        }
    }

    /** That the state was where the service left it. */
    void assertNothingRestored() {
        JsonNode instances = get("/instances").assertOk().json().path("instances");
        assertEquals(1, instances.size(), instances::toString);
        JsonNode restore = instances.path(0).path("restore");
        assertEquals(0, restore.path("done").asInt(-1), instances::toString);
        assertEquals(0, restore.path("total").asInt(-1), instances::toString);
    }

    private WindowJson window(String path) {
        return get(path).assertOk().as(WindowJson.class);
    }

    private HttpAnswer get(String path) {
        return HttpAnswer.get(address, path);
    }
}
