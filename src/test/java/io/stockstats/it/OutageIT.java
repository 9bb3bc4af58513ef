package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The broker goes away for longer than any client waits, and comes back. */
class OutageIT {

    private static final long DAY = 1_760_000_000_000L;
    private static final Duration OUTAGE = Duration.ofSeconds(12);

    /** Kafka's timeouts, which are minutes, as seconds: each is shorter than the outage. */
    private static final Map<String, String> IMPATIENT = Map.of(
            "kafka-streams.request.timeout.ms", "2000",
            "kafka-streams.default.api.timeout.ms", "3000",
            "kafka-streams.heartbeat.interval.ms", "1000",
            "kafka-streams.session.timeout.ms", "4000",
            "kafka-streams.max.poll.interval.ms", "6000",
            "kafka-streams.metadata.recovery.rebootstrap.trigger.ms", "3000",
            "kafka-streams.producer.transaction.timeout.ms", "5000");

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker(Map.of("group.min.session.timeout.ms", "1000"));

    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void answersWhileTheBrokerIsAwayAndGoesOnWhenItIsBack(String processing) {
        // Given an instance with trades that are committed, and some on their way
        Topics topics = BENCH.freshTopics(2);
        Instance instance = impatient(topics)
                .with("stockstats.processing", processing)
                .start()
                .awaitReady();
        Ledger ledger = new Ledger();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            sendTenSeconds(client, ledger, 0);
            instance.awaitAnswer(
                    "/stats/MMM",
                    () -> assertEquals(
                            ledger.latest("MMM", 5_000, false),
                            instance.get("/stats/MMM").assertOk().as(WindowJson.class)));
            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertEquals(0, TopicClient.uncommitted(BENCH, topics)));
            sendTenSeconds(client, ledger, 20_000);

            // When the broker goes away
            BENCH.broker().stop();

            // Then it answers and counts as healthy all the time
            long begin = System.nanoTime();
            await().pollInterval(Duration.ofMillis(250))
                    .atMost(OUTAGE.multipliedBy(3))
                    .until(() -> {
                        instance.get("/stats").assertOk();
                        WindowJson latest =
                                instance.get("/stats/MMM").assertOk().as(WindowJson.class);
                        assertTrue(latest.countTrades() >= 1, latest::toString);
                        assertEquals("UP", instance.health("live"));
                        assertEquals("UP", instance.health("ready"));
                        return System.nanoTime() - begin > OUTAGE.toNanos();
                    });

            // And when the broker is back, then it goes on, and no window is missing or short
            BENCH.broker().start();
            sendTenSeconds(client, ledger, 40_000);
            for (int partition = 0; partition < 2; partition++) {
                client.sendAll(partition, new Ledger(), List.of(Sale.of("END" + partition, "1", 1, DAY + 120_000)));
            }
            Map<String, WindowJson> expected = ledger.windows(true);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        Map<String, WindowJson> last = new TreeMap<>(client.lastWindows());
                        last.keySet().removeIf(id -> id.startsWith("END"));
                        assertEquals(expected.keySet(), last.keySet());
                        last.forEach((id, window) -> {
                            WindowJson oracle = expected.get(id);
                            boolean mayCountTwice = processing.equals("at-least-once")
                                    && window.windowEnd() > DAY + 20_000
                                    && window.windowStart() < DAY + 30_000;
                            assertTrue(window.isFinal(), window::toString);
                            if (mayCountTwice) {
                                assertTrue(window.countTrades() >= oracle.countTrades(), window::toString);
                            } else {
                                assertEquals(oracle, window);
                            }
                        });
                    });
        }
        assertFalse(instance.log().contains("a stream thread died"), "a stream thread died");
    }

    @Test
    void stopsInBoundedTimeWhileTheBrokerIsAway() {
        // Given an instance that has windows to write, and nowhere to
        Topics topics = BENCH.freshTopics(1);
        Instance instance =
                impatient(topics).with("stockstats.window.idle", "PT3S").start().awaitReady();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            sendTenSeconds(client, new Ledger(), 0, 0);
        }
        instance.awaitAnswer("/stats/MMM", () -> instance.get("/stats/MMM").assertOk());
        try {
            BENCH.broker().stop();
            await().atMost(Duration.ofSeconds(45)).until(() -> instance.log().contains("does not answer"));

            // When it is told to stop, then it does
            assertEquals(0, instance.terminate(Duration.ofSeconds(25)));
        } finally {
            BENCH.broker().start();
        }
    }

    private static Instance.Builder impatient(Topics topics) {
        Instance.Builder builder = BENCH.instance(topics);
        IMPATIENT.forEach(builder::with);
        return builder;
    }

    private static void sendTenSeconds(TopicClient client, Ledger ledger, long from) {
        sendTenSeconds(client, ledger, from, 0);
        sendTenSeconds(client, ledger, from, 1);
    }

    private static void sendTenSeconds(TopicClient client, Ledger ledger, long from, int partition) {
        List<Sale> sales = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sales.add(Sale.of(partition == 0 ? "MMM" : "ABT", "20." + 25 * (i % 4), i, DAY + from + 250L * i));
        }
        client.sendAll(partition, ledger, sales);
    }
}
