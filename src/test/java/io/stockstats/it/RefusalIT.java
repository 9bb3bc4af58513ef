package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot work is refused at start, in one line that a person can act on. */
class RefusalIT {

    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final long DAY = 1_760_000_000_000L;

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @ParameterizedTest
    @CsvSource({
        "stockstats.window.size, PT2.5S",
        "stockstats.window.grace, half a minute",
        "stockstats.stream.enabled, FALSE",
        "stockstats.windw.size, PT5S",
        "stockstats.instance.name, a/b",
        "stockstats.query.timeout, PT0S",
        "quarkus.kafka-streams.application-server, http://localhost:8080",
    })
    void refusesASettingInOneLineThatNamesIt(String property, String value) {
        // Given, when
        Instance refused =
                BENCH.instance(Bench.freshNames()).with(property, value).start();

        // Then
        assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
        assertNamedOnce(refused, property);
    }

    @Test
    void refusesItWhileDnsDoesNotKnowTheBroker() {
        // Given, when
        Instance refused = BENCH.instance(Bench.freshNames())
                .with("kafka.bootstrap.servers", "kafka.example:9092")
                .with("stockstats.window.size", "PT0.7S")
                .start();

        // Then
        assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
        assertNamedOnce(refused, "stockstats.window.size");
    }

    @Test
    void refusesAPortThatIsTaken() throws Exception {
        // Given
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            // When
            Instance refused = BENCH.instance(Bench.freshNames()).start(taken.getLocalPort());

            // Then
            assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
            List<String> lines = refused.log()
                    .lines()
                    .filter(line -> line.contains(Integer.toString(taken.getLocalPort())) && line.contains("ERROR"))
                    .toList();
            assertEquals(1, lines.size(), refused::log);
        }
    }

    @Test
    void refusesStateOfAnotherPaneWidth() {
        // Given state of panes one second wide
        Topics topics = BENCH.freshTopics(1);
        Instance.Builder builder = BENCH.instance(topics);
        runUntilStateIsMade(topics, builder);

        // When the advance is another one
        Instance refused = builder.with("stockstats.window.advance", "PT0.5S").start();

        // Then it says what to do, and leaves the state as it is
        assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
        List<String> lines = refused.log()
                .lines()
                .filter(line -> line.contains("state refused: stockstats.window.advance is 500 ms"))
                .toList();
        assertEquals(1, lines.size(), refused::log);
        assertTrue(lines.get(0).contains("made with 1000 ms: set it back, or give the service a new"), lines.get(0));
        Instance again =
                builder.with("stockstats.window.advance", "PT1S").start().awaitReady();
        again.awaitAnswer("/stats/MMM", () -> again.get("/stats/MMM").assertOk());
        assertEquals(0, again.restored());
    }

    @Test
    void refusesAnotherNumberOfPartitions() {
        // Given state of two partitions
        Topics topics = BENCH.freshTopics(2);
        Instance.Builder builder = BENCH.instance(topics);
        runUntilStateIsMade(topics, builder);

        // When the topic of trades has three
        BENCH.admin(admin -> admin.createPartitions(Map.of(topics.trades(), NewPartitions.increaseTo(3)))
                .all()
                .get(30, TimeUnit.SECONDS));
        Instance refused = builder.start();

        // Then
        assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
        String line = assertNamedOnce(refused, "stockstats.topics.trades");
        assertTrue(line.contains("has 3 partitions") && line.contains("made with 2"), line);
        assertTrue(line.contains("give the service a new quarkus.kafka-streams.application-id"), line);
    }

    @Test
    void refusesATopicThatTakesLessThanABatch() {
        // Given
        Topics topics = BENCH.freshTopics(1, Map.of(), Map.of("max.message.bytes", "600"));

        // When
        Instance refused = BENCH.instance(topics).start();

        // Then
        assertNotEquals(0, refused.exitCode(ENDS_WITHIN));
        String line = assertNamedOnce(refused, "stockstats.topics.rejected");
        assertTrue(line.contains("takes 600 bytes") && line.contains("at least 16384"), line);
    }

    private static void runUntilStateIsMade(Topics topics, Instance.Builder builder) {
        Instance instance = builder.start().awaitReady();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            client.sendAll(0, new Ledger(), List.of(Sale.of("MMM", "10.25", 1, DAY)));
        }
        instance.awaitAnswer("/stats/MMM", () -> instance.get("/stats/MMM").assertOk());
        assertEquals(0, instance.terminate(Duration.ofSeconds(20)));
    }

    /** The one line that names the property; it may stand there more than once. */
    private static String assertNamedOnce(Instance refused, String property) {
        List<String> lines = refused.log()
                .lines()
                .filter(line -> line.contains(property))
                .distinct()
                .toList();
        assertEquals(1, lines.size(), () -> "lines that name " + property + " in " + refused.log());
        assertFalse(refused.log().contains("\tat "), () -> "stack traces in " + refused.log());
        return lines.get(0);
    }
}
