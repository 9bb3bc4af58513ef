package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo that the README shows: the script itself judges what happens, and leaves nothing behind. */
class DemoIT {

    private static final Path PACKAGE = Path.of("target", "quarkus-app", "quarkus-run.jar");
    private static final Duration SHOW_WITHIN = Duration.ofMinutes(8);
    private static final Duration PROCESSES_WITHIN = Duration.ofMinutes(2);
    private static final Duration END_WITHIN = Duration.ofSeconds(30);
    private static final int SIGTERM_STATUS = 128 + 15;

    /** A broker and two instances. */
    private static final int FIRST_PROCESSES = 3;

    @TempDir
    Path folder;

    private Process demo;

    @BeforeEach
    void start() throws IOException {
        assertTrue(Files.exists(PACKAGE), () -> PACKAGE + " is missing: run ./mvnw verify");
        List<String> ports = Stream.generate(Bench::freePort)
                .distinct()
                .limit(4)
                .map(String::valueOf)
                .toList();
        ProcessBuilder builder = new ProcessBuilder("bash", "src/demo/failover.sh")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        builder.environment().put("HTTP_PORTS", String.join(" ", ports.subList(0, 3)));
        builder.environment().put("BROKER_PORT", ports.get(3));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TMPDIR", temporary().toString());
        Files.createDirectory(temporary());
        demo = builder.start();
    }

    @AfterEach
    void end() throws InterruptedException {
        // The script ends what it has started.
        demo.destroy();
        if (!demo.waitFor(END_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
            Stream.concat(demo.descendants(), Stream.of(demo.toHandle())).forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void all_happens_that_the_README_says() throws InterruptedException {
        // When the demo runs to its end
        assertTrue(demo.waitFor(SHOW_WITHIN.toSeconds(), TimeUnit.SECONDS), this::output);

        // Then it is content
        assertEquals(0, demo.exitValue(), this::output);
        said("== A third joins");
        said("stockstats-3 +RUNNING +\\d,\\d ");
        said("== kill -9 of stockstats-2");
        said("\"stale\":true,\"lag\":(\\d+|null)}");
        said("stockstats-2 +UNREACHABLE ");
        said("fresh again \\d+\\.\\d+ s after the kill");
        said("stockstats-2 +RUNNING +\\d,\\d ");
        said("with exit code 0");
        said("it read \\d+ of \\d+ changelog records: what was written");
        said("all as promised, in \\d+ s");
        // And has cleared up
        assertEquals(List.of(), left());
    }

    @Test
    void one_that_is_ended_leaves_nothing_behind() throws InterruptedException {
        // Given a demo in the middle of it
        await("the first processes")
                .atMost(PROCESSES_WITHIN)
                .until(() -> javaProcesses(demo.descendants()).size() == FIRST_PROCESSES);
        List<ProcessHandle> processes = javaProcesses(demo.descendants());

        // When it is ended
        demo.destroy();

        // Then all its processes end with it
        assertTrue(demo.waitFor(END_WITHIN.toSeconds(), TimeUnit.SECONDS), this::output);
        assertEquals(SIGTERM_STATUS, demo.exitValue(), this::output);
        await("the end of all")
                .atMost(END_WITHIN)
                .until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertEquals(List.of(), left());
    }

    private static List<ProcessHandle> javaProcesses(Stream<ProcessHandle> some) {
        return some.filter(each -> each.info().command().orElse("").endsWith("java") && each.isAlive())
                .toList();
    }

    private void said(String pattern) {
        assertTrue(
                Pattern.compile(pattern).matcher(output()).find(),
                () -> "nothing like " + pattern + " in what the demo printed:\n" + output());
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path temporary() {
        return folder.resolve("tmp");
    }

    private List<String> left() {
        try (Stream<Path> files = Files.list(temporary())) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
