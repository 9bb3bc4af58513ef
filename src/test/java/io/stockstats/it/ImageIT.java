package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.stockstats.kubernetes.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.TestAbortedException;

/** The image, built and run as the README says and as narrow as a pod: no root, nothing to write to, little memory. */
class ImageIT {

    private static final Duration GRACE = Duration.ofSeconds(40);
    private static final String CONTAINER = "stockstats";
    private static final String DOCKERFILE = "src/main/docker/Dockerfile.jvm";
    private static final double HEAP_SHARE = 0.35;

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    private static @Nullable Podman podman;
    private static @Nullable TestAbortedException withoutPodman;
    private static JsonNode inPod;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        inPod = Manifests.of(Path.of("target", "kubernetes", "kubernetes.yml"))
                .get("StatefulSet", "stockstats")
                .at("/spec/template/spec/containers/0");
        try {
            podman = Podman.start();
        } catch (TestAbortedException e) {
            withoutPodman = e;
            return;
        }
        long begun = System.nanoTime();
        podman.build(Path.of(DOCKERFILE));
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
        String memory =
                inPod.at("/resources/limits/memory").asText().replace("Mi", "m").replace("Gi", "g");
        Topics topics = BENCH.freshTopics(2);
        Instance.Builder builder = BENCH.instance(topics).in(podman(), CONTAINER, memory);
        int port = Bench.freePort();
        long begun = System.nanoTime();
        Instance before = builder.start(port).awaitReady();
        long ready = Duration.ofNanos(System.nanoTime() - begun).toMillis();
        Smoke smoke = new Smoke(before.address(), BENCH.broker(), topics);

        // When
        smoke.trade();

        // Then
        smoke.assertAnswers();
        smoke.assertRejected();
        assertEquals(1, before.metric("stockstats_trades_rejected_total{reason=\"malformed\"}"));

        // And it is who it should be, and takes what it should
        Path process = Path.of("/proc", podman().inspect(CONTAINER, "{{.State.Pid}}"));
        assertEquals(outside(process, 185), Long.parseLong(status(process, "Uid")));
        assertEquals("0000000000000000", status(process, "CapEff"));
        assertEquals("1", status(process, "NoNewPrivs"));
        assertMemory(before, process, memory, ready);

        // And when it is stopped and started on the same volume
        assertEquals(0, before.terminate(GRACE));
        Instance after = builder.start(port).awaitReady();

        // Then it goes on from there
        smoke.assertAnswers();
        smoke.assertRejected();
        smoke.assertNothingRestored();
        assertEquals(0, after.restored());
        assertEquals(0, after.terminate(GRACE));
    }

    @Test
    void givesANewVolumeItsUser() throws IOException, InterruptedException {
        String folder = podman().entry("var/lib/kafka-streams");

        assertTrue(folder.matches("drwx\\S+ 185/0 .*\\s*"), folder);
        assertEquals("185:0", podman().inspect(Podman.IMAGE, "{{.Config.User}}"));
    }

    @Test
    void isOfTheVersionThatTheManifestsRun() throws IOException, InterruptedException {
        String tag = inPod.path("image").asText().replaceFirst(".*:", "");

        assertEquals(
                tag, podman().inspect(Podman.IMAGE, "{{index .Config.Labels \"org.opencontainers.image.version\"}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {DOCKERFILE, "src/main/docker/Dockerfile.native", "README.md"})
    void isBuiltUnderTheNameThatTheManifestsRun(String file) throws IOException {
        String text = Files.readString(Path.of(file));

        assertTrue(text.contains(" -t " + inPod.path("image").asText() + " ."), file);
    }

    private static Podman podman() {
        if (withoutPodman != null) {
            throw withoutPodman;
        }
        return Objects.requireNonNull(podman);
    }

    private static void assertMemory(Instance instance, Path process, String memory, long ready) throws IOException {
        long limit = bytes(memory);
        long peak = Long.parseLong(status(process, "VmHWM")) << 10;
        OptionalLong inForce = Podman.memoryLimit(process);
        double heap = instance.get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("jvm_memory_max_bytes{area=\"heap\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
        System.out.printf(
                "image: ready after %d ms; %d MiB of %s at most, a heap of %.0f MiB%n",
                ready, peak >> 20, memory, heap / (1 << 20));
        assertTrue(peak < limit, peak + " bytes");
        if (inForce.isEmpty()) {
            System.out.println("image: this machine bounds no container's memory: it was measured, not limited");
            return;
        }
        assertEquals(limit, inForce.getAsLong());
        // The collector leaves one of its two survivor spaces out.
        assertEquals(HEAP_SHARE, heap / limit, 0.02);
    }

    private static long bytes(String memory) {
        long number = Long.parseLong(memory.substring(0, memory.length() - 1));
        return memory.endsWith("g") ? number << 30 : number << 20;
    }

    /** What a container's user is on the machine, where these may be other numbers. */
    private static long outside(Path process, long user) throws IOException {
        for (String line : Files.readAllLines(process.resolve("uid_map"))) {
            String[] range = line.strip().split("\\s+");
            long offset = user - Long.parseLong(range[0]);
            if (offset >= 0 && offset < Long.parseLong(range[2])) {
                return Long.parseLong(range[1]) + offset;
            }
        }
        throw new AssertionError("no user " + user + " in " + process);
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
