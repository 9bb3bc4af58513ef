package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.kubernetes.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The image, built and run as the manifests run it: without root, a file system to write, capabilities and much memory. */
class ImageIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(40);
    private static final String CONTAINER = "stockstats";

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    private static Podman podman;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        podman = Podman.start();
        long begun = System.nanoTime();
        podman.build(Path.of("src", "main", "docker", "Dockerfile.jvm"));
        System.out.printf(
                "image: built in %d s, %d MB%n",
                Duration.ofNanos(System.nanoTime() - begun).toSeconds(),
                Long.parseLong(podman.inspect(Podman.IMAGE, "{{.Size}}")) / 1_000_000);
    }

    @AfterAll
    static void remove() throws IOException, InterruptedException {
        if (podman != null) {
            podman.close();
        }
    }

    @Test
    void keepsTheContractInAContainerAsNarrowAsAPod() throws IOException, InterruptedException {
        // Given
        String memory = Manifests.of(Path.of("target", "kubernetes", "kubernetes.yml"))
                .get("StatefulSet", "stockstats")
                .at("/spec/template/spec/containers/0/resources/limits/memory")
                .asText()
                .replace("Mi", "m");
        Topics topics = BENCH.freshTopics(2);
        Instance.Builder builder = BENCH.instance(topics).in(podman, CONTAINER, memory);
        long begun = System.nanoTime();
        Instance before = builder.start().awaitReady();
        long ready = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            // When
            Ledger ledger = new Ledger();
            long at = System.currentTimeMillis();
            client.sendAll(0, ledger, List.of(Sale.of("MMM", "10.25", 3, at), Sale.of("MMM", "10.75", 4, at + 1)));
            client.sendAll(1, ledger, List.of(Sale.of("BTC/USDT", "5.5", 1, at)));
            client.send(new ProducerRecord<>(topics.trades(), 0, "MMM".getBytes(), "no trade".getBytes()));

            // Then
            before.awaitAnswer(
                    "/stats/MMM", () -> assertEquals(ledger.latest("MMM", 5_000, false), latest(before, "MMM")));
            assertEquals(ledger.latest("BTC/USDT", 5_000, false), latest(before, "BTC%2FUSDT"));
            assertEquals(
                    2,
                    before.get("/top?window=PT1M").assertOk().json().path("top").size());
            before.get("/stats/XYZ").assertProblem(404, null);
            await().atMost(PATIENCE)
                    .until(() -> client.records(topics.rejected()).size() == 1);
            ConsumerRecord<byte[], byte[]> rejected =
                    client.records(topics.rejected()).get(0);
            assertEquals(
                    "malformed",
                    new String(
                            rejected.headers().lastHeader("stockstats.reason").value()));
            await().untilAsserted(() -> assertEquals(0, TopicClient.uncommitted(BENCH, topics)));

            // And it is who it should be
            Path process = Path.of("/proc", podman.inspect(CONTAINER, "{{.State.Pid}}"));
            assertEquals("185", status(process, "Uid"));
            assertEquals("0000000000000000", status(process, "CapEff"));
            long kibibytes = Long.parseLong(status(process, "VmHWM"));
            System.out.printf("image: ready after %d ms, %d MiB of %s at most%n", ready, kibibytes >> 10, memory);
            assertTrue(kibibytes << 10 < Long.parseLong(memory.replace("m", "")) << 20);

            // And when it is stopped and started on the same volume
            assertEquals(0, before.terminate(GRACE));
            Instance after = builder.start().awaitReady();

            // Then it goes on from there
            after.awaitAnswer(
                    "/stats/MMM", () -> assertEquals(ledger.latest("MMM", 5_000, false), latest(after, "MMM")));
            assertEquals(0, after.restored());
            assertEquals(0, after.terminate(GRACE));
        }
    }

    private static WindowJson latest(Instance instance, String ticker) {
        return instance.get("/stats/" + ticker).assertOk().as(WindowJson.class);
    }

    /** The first value of a line. */
    private static String status(Path process, String name) throws IOException {
        return Files.readAllLines(process.resolve("status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.split("\\s+")[1])
                .findFirst()
                .orElseThrow();
    }
}
