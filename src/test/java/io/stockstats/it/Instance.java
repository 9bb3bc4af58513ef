package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** One process of the packaged application. */
final class Instance implements AutoCloseable {

    private static final Path TARGET = Path.of("target");
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    private final Process process;
    private final int port;
    private final Path log;

    private Instance(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /** The answer to a GET. */
    HttpAnswer get(String path) {
        return HttpAnswer.get(address(), path);
    }

    /** Where it serves HTTP. */
    String address() {
        return "http://127.0.0.1:" + port;
    }

    /** A health check's status. */
    String health(String check) {
        return get("/q/health/" + check).json().path("status").asText();
    }

    /** One datum of the readiness check, empty when it is not there. */
    String readyData(String name) {
        return get("/q/health/ready")
                .json()
                .path("checks")
                .path(0)
                .path("data")
                .path(name)
                .asText();
    }

    /** The value of a metric's line, without its comment lines: its name, and its labels if it has any. */
    double metric(String nameAndLabels) {
        return get("/q/metrics").metric(nameAndLabels);
    }

    /** How many trades its partitions hold that it has not read yet. */
    double lag() {
        return get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("stockstats_partition_lag{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    Instance awaitServing() {
        await("HTTP of " + this)
                .atMost(START_WITHIN)
                .ignoreException(UncheckedIOException.class)
                .until(() -> {
                    assertTrue(process.isAlive(), () -> this + " ended with exit code " + process.exitValue());
                    return get("/q/health/live").status() > 0;
                });
        return this;
    }

    Instance awaitReady() {
        awaitServing();
        await("readiness of " + this)
                .atMost(START_WITHIN)
                .untilAsserted(() -> assertEquals(200, get("/q/health/ready").status()));
        return this;
    }

    /** Waits for what is to be seen over HTTP. */
    void awaitAnswer(String path, ThrowingRunnable assertion) {
        await(path + " of " + this).atMost(START_WITHIN).untilAsserted(assertion);
    }

    /** SIGTERM; returns the exit code. */
    int terminate(Duration within) {
        process.destroy();
        return exitCode(within);
    }

    /** Sends the signal of this name. */
    void signal(String name) {
        try {
            int exit = new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertEquals(0, exit, () -> "no " + name + " to " + this);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        exitCode(Duration.ofSeconds(10));
    }

    /** The exit code of a process that is to end by itself. */
    int exitCode(Duration within) {
        assertTrue(endsWithin(within), () -> this + " did not end within " + within);
        return process.exitValue();
    }

    /** Waits for the process to end; false when it still runs then. */
    boolean endsWithin(Duration time) {
        try {
            return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return port;
    }

    /** The process's memory that lies in the machine's. */
    long residentKibibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** Whether the package is a native executable. */
    static boolean isNative() throws IOException {
        return Builder.artifact().getProperty("type").equals("native");
    }

    /** Makes the process collect all garbage. */
    void collectGarbage() throws IOException, InterruptedException {
        Process jcmd = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(process.pid()),
                        "GC.run")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertTrue(jcmd.waitFor(30, TimeUnit.SECONDS), "jcmd hangs");
        assertEquals(0, jcmd.exitValue(), "jcmd");
    }

    /** Everything that the process has written so far. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The changelog records that the log says were restored. */
    long restored() {
        return Pattern.compile("restore done: partition=\\d+ records=(\\d+)")
                .matcher(log())
                .results()
                .mapToLong(result -> Long.parseLong(result.group(1)))
                .sum();
    }

    /** Ends the process at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        endsWithin(Duration.ofSeconds(10));
    }

    @Override
    public String toString() {
        return "instance at port " + port + " (pid " + process.pid() + ")";
    }

    /** The environment variable that stands for a property. */
    static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** What an instance is to be like. */
    static final class Builder {

        private final Bench bench;
        private final Map<String, String> settings = new LinkedHashMap<>();
        private final List<String> jvm = new ArrayList<>();
        private final Map<String, String> environment = new LinkedHashMap<>();
        private @Nullable IntFunction<List<String>> container;

        Builder(Bench bench, String bootstrapServers, Topics topics, Path stateDir) {
            this.bench = bench;
            with("kafka.bootstrap.servers", bootstrapServers);
            with("quarkus.kafka-streams.application-id", topics.application());
            with("stockstats.topics.trades", topics.trades());
            with("stockstats.topics.output", topics.output());
            with("stockstats.topics.rejected", topics.rejected());
            with("quarkus.http.host", "127.0.0.1");
            stateDir(stateDir);
        }

        Builder with(String property, String value) {
            settings.put(property, value);
            return this;
        }

        /** What the environment says is not said otherwise. */
        Builder environment(Map<String, String> variables) {
            environment.putAll(variables);
            settings.keySet().removeIf(property -> environment.containsKey(variable(property)));
            return this;
        }

        /** In a container of this name, with this much memory. */
        Builder in(Podman podman, String name, String memory) {
            container = port -> {
                Map<String, String> inside = new LinkedHashMap<>(settings);
                inside.remove("kafka-streams.state.dir");
                inside.put("quarkus.http.port", Integer.toString(port));
                return podman.run(name, memory, Podman.environment(inside));
            };
            return this;
        }

        /** An option of the JVM's, for what the service has no setting for. */
        Builder jvm(String option) {
            jvm.add(option);
            return this;
        }

        Builder stateDir(Path folder) {
            return with("kafka-streams.state.dir", folder.toString());
        }

        Path stateDir() {
            return Path.of(settings.get("kafka-streams.state.dir"));
        }

        /** Starts a process on a free port, as often as asked. */
        Instance start() {
            return start(Bench.freePort());
        }

        Instance start(int port) {
            try {
                Path log = Files.createTempFile(stateDir().getParent(), "instance-", ".log");
                List<String> command = new ArrayList<>();
                Properties artifact = artifact();
                Path path = TARGET.resolve(artifact.getProperty("path"));
                Stream<String> properties =
                        settings.entrySet().stream().map(each -> "-D" + each.getKey() + "=" + each.getValue());
                String portProperty = "-Dquarkus.http.port=" + port;
                if (container != null) {
                    command.addAll(container.apply(port));
                } else if (isNative()) {
                    command.add(path.toString());
                    properties.forEach(command::add);
                    command.add(portProperty);
                } else {
                    command.add(Path.of(System.getProperty("java.home"), "bin", "java")
                            .toString());
                    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
                    command.addAll(jvm);
                    properties.forEach(command::add);
                    command.addAll(List.of(portProperty, "-jar", path.toString()));
                }
                ProcessBuilder builder =
                        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                Instance instance = new Instance(process, port, log);
                bench.started(instance);
                return instance;
            } catch (IOException e) {
                throw new UncheckedIOException("the packaged application does not start", e);
            }
        }

        private static Properties artifact() throws IOException {
            Properties artifact = new Properties();
            try (InputStream in = Files.newInputStream(TARGET.resolve("quarkus-artifact.properties"))) {
                artifact.load(in);
            }
            return artifact;
        }
    }
}
