package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Started before all that it needs, the service waits, says what for, and goes on by itself. */
class WaitingIT {

    private static final List<String> QUERIES = List.of("/stats/MMM", "/stats", "/stats/MMM/windows");

    @RegisterExtension
    static final Bench BENCH = Bench.withoutBroker();

    @Test
    void waitsForTheBrokerAndThenForEachTopic() {
        // Given no broker
        int brokerPort = Bench.freePort();
        Topics topics = Bench.freshNames();

        // When an instance starts
        Instance instance = BENCH.instance(topics, brokerPort)
                .with("quarkus.kafka-streams.topics-timeout", "1S")
                .with("kafka-streams.request.timeout.ms", "1000")
                .with("kafka-streams.default.api.timeout.ms", "2000")
                .start()
                .awaitServing();

        // Then it lives and waits, for longer than each of its timeouts
        await().pollInterval(Duration.ofMillis(200))
                .during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> {
                    assertWaits(instance);
                    assertEquals("the broker", instance.readyData("waitingFor"));
                });

        // And when the broker is there, then it names each topic that is not
        BENCH.startBroker(brokerPort);
        awaitMissing(instance, topics.trades() + "," + topics.output() + "," + topics.rejected());
        BENCH.create(new NewTopic(topics.trades(), 2, (short) 1));
        awaitMissing(instance, topics.output() + "," + topics.rejected());
        BENCH.create(new NewTopic(topics.output(), 2, (short) 1));
        awaitMissing(instance, topics.rejected());
        assertWaits(instance);

        // And when all are there, then it becomes ready by itself
        BENCH.create(new NewTopic(topics.rejected(), 1, (short) 1).configs(Map.of()));
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (String query : QUERIES.subList(0, 1)) {
                HttpAnswer answer = instance.get(query);
                answer.assertProblem(answer.status() == 503 ? 503 : 404, null);
            }
            assertEquals("UP", instance.health("ready"));
        });
        instance.get("/stats/MMM").assertProblem(404, null);
        assertEquals(0, instance.get("/stats").assertOk().json().path("stats").size());
    }

    private static void awaitMissing(Instance instance, String missing) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            assertWaits(instance);
            assertEquals(missing, instance.readyData("missingTopics"));
        });
    }

    private static void assertWaits(Instance instance) {
        assertEquals("UP", instance.health("live"));
        assertEquals("UP", instance.health("started"));
        assertEquals("DOWN", instance.health("ready"));
        QUERIES.forEach(query -> instance.get(query).assertProblem(503, null));
    }

    @Test
    void waitsForANameThatDnsDoesNotKnow() throws IOException {
        // Given a broker whose name nobody knows yet
        int brokerPort = Bench.freePort();
        Topics topics = Bench.freshNames();
        Path hosts = Files.createTempFile(BENCH.freshFolder(), "hosts", "");
        Instance instance = BENCH.instance(topics, brokerPort)
                .with("kafka.bootstrap.servers", "kafka.example:" + brokerPort)
                .jvm("-Djdk.net.hosts.file=" + hosts)
                .start()
                .awaitServing();

        // Then it lives and waits
        assertWaits(instance);
        assertEquals("the broker", instance.readyData("waitingFor"));
        assertEquals("kafka.example:" + brokerPort, instance.readyData("unknown"));

        // And when the name is known, then it goes on
        BENCH.startBroker(brokerPort);
        Files.writeString(hosts, "127.0.0.1 kafka.example\n");
        await().atMost(Duration.ofSeconds(60))
                // Between the server that answers meanwhile and the service's own there is none for a moment.
                .ignoreException(UncheckedIOException.class)
                .untilAsserted(() -> assertEquals(
                        topics.trades() + "," + topics.output() + "," + topics.rejected(),
                        instance.readyData("missingTopics")));
        assertEquals(0, instance.terminate(Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void stopsWhileItWaitsForAName(String signal) {
        // Given
        Instance instance = BENCH.instance(Bench.freshNames(), Bench.freePort())
                .with("kafka.bootstrap.servers", "kafka.example:9092")
                .start()
                .awaitServing();

        // When, then
        instance.signal(signal);
        assertEquals(0, instance.exitCode(Duration.ofSeconds(10)));
    }

    @Test
    void generatesTradesWithoutAStream() {
        // Given
        int brokerPort = Bench.freePort();
        BENCH.startBroker(brokerPort);
        Topics topics = BENCH.freshTopics(2);

        // When
        Instance generator = BENCH.instance(topics, brokerPort)
                .with("stockstats.stream.enabled", "false")
                .with("stockstats.generator.enabled", "true")
                .with("stockstats.generator.rate", "100")
                .start()
                .awaitReady();

        // Then
        await().atMost(Duration.ofSeconds(60)).until(() -> BENCH.endOffsets(topics.trades()) > 100);
        assertEquals("UP", generator.health("live"));
        assertEquals("UP", generator.health("started"));
        generator.get("/stats/MMM").assertProblem(503, null);
        assertEquals(
                List.of(),
                BENCH.admin(admin -> admin.listGroups().all().get(10, TimeUnit.SECONDS).stream()
                        .map(GroupListing::groupId)
                        .filter(topics.application()::equals)
                        .toList()));
        assertEquals(0, generator.terminate(Duration.ofSeconds(30)));
    }
}
