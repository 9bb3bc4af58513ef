package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.stockstats.topology.StatsTopology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * How many questions a second are answered, beside how many requests for nothing the same process answers. The load
 * comes from {@code wrk}, which must be on the PATH, in turn for each kind of question.
 */
@Timeout(1_200)
class QueryBench {

    private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);
    private static final int SECONDS = 5;
    private static final int WARM_UP_SECONDS = 8;
    private static final int CONNECTIONS = 32;
    private static final int TICKERS = 5_000;
    private static final int PARTITIONS = 4;
    private static final int PANES = 60;
    private static final int TRADES_PER_SECOND = 10_000;
    private static final Path REPORT = Path.of("target", "bench", "queries.md");
    private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    private final Topics topics = BENCH.freshTopics(PARTITIONS);
    private final List<String> tickers =
            IntStream.range(0, TICKERS).mapToObj(i -> String.format("T%04d", i)).toList();
    private final long begin = System.currentTimeMillis() / 1_000 * 1_000 - PANES * 1_000L;
    private final Map<String, List<Double>> behind = new LinkedHashMap<>();
    private DoubleSupplier lag = () -> 0;
    private Path folder = Path.of("");

    @BeforeEach
    void loadGeneratorIsThere() throws IOException, InterruptedException {
        folder = BENCH.freshFolder();
        assertTrue(
                new ProcessBuilder("sh", "-c", "command -v wrk").start().waitFor() == 0,
                "wrk is not on the PATH; it is in the package wrk of Debian and others");
    }

    @Test
    void shareOfWhatARequestForNothingCosts() throws IOException, InterruptedException {
        // Given five thousand tickers, each with a minute of panes, on two instances
        Instance first = optimised("first").start();
        Instance second = optimised("second").start();
        first.awaitReady();
        second.awaitReady();
        lag = () -> first.lag() + second.lag();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int pane = 0; pane < PANES; pane++) {
                for (String ticker : tickers) {
                    send(client, ticker, begin + pane * 1_000L);
                }
            }
            client.flush();
            org.awaitility.Awaitility.await().atMost(120, TimeUnit.SECONDS).until(() -> {
                JsonNode all = first.get("/instances").json();
                return TopicClient.uncommitted(BENCH, topics) == 0
                        && all.path("instances").findValues("active").stream().allMatch(each -> each.size() == 2);
            });
            JsonNode instances = first.get("/instances").json().path("instances");
            Map<String, String> questions = new LinkedHashMap<>();
            questions.put("nothing", script("nothing", List.of("/empty")));
            questions.put("local", script("local", paths(instances, "first")));
            questions.put(
                    "local, a minute",
                    script(
                            "minute",
                            paths(instances, "first").stream()
                                    .map(path -> path + "?window=PT1M")
                                    .toList()));
            questions.put("forwarded", script("forwarded", paths(instances, "second")));
            questions.put("page of 1,000", script("page", List.of("/stats?limit=1000")));

            // When
            for (String script : questions.values()) {
                load(first, script, WARM_UP_SECONDS);
            }
            Map<String, List<Double>> rates = new LinkedHashMap<>();
            for (int round = 1; round <= ROUNDS; round++) {
                measure(first, questions, "", rates);
            }
            // And while trades come
            ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
            int[] sent = {0};
            pace.scheduleAtFixedRate(
                    () -> {
                        for (int i = 0; i < TRADES_PER_SECOND / 100; i++) {
                            send(client, tickers.get(sent[0]++ % TICKERS), System.currentTimeMillis());
                        }
                    },
                    0,
                    10,
                    TimeUnit.MILLISECONDS);
            for (int round = 1; round <= ROUNDS; round++) {
                measure(
                        first,
                        questions,
                        String.format(Locale.ROOT, ", while %,d trades/s come", TRADES_PER_SECOND),
                        rates);
            }
            pace.shutdownNow();

            // Then
            report(rates);
        }
    }

    private void measure(Instance instance, Map<String, String> questions, String when, Map<String, List<Double>> rates)
            throws IOException, InterruptedException {
        for (var question : questions.entrySet()) {
            double rate = load(instance, question.getValue(), SECONDS);
            System.out.printf(Locale.ROOT, "%s%s: %,.0f a second%n", question.getKey(), when, rate);
            rates.computeIfAbsent(question.getKey() + when, name -> new ArrayList<>())
                    .add(rate);
            behind.computeIfAbsent(question.getKey() + when, name -> new ArrayList<>())
                    .add(lag.getAsDouble());
        }
    }

    private void report(Map<String, List<Double>> rates) throws IOException {
        double nothing = median(rates.get("nothing"));
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%n### Questions: %,d tickers, two instances, %d connections to one of them%n%n"
                        + "| | answers a second | share of nothing | trades behind at its end |%n|---|---|---|---|%n",
                TICKERS,
                CONNECTIONS));
        rates.forEach((name, of) -> out.append(String.format(
                Locale.ROOT,
                "| %s | %,.0f | %.0f %% | %,.0f |%n",
                name,
                median(of),
                100 * median(of) / nothing,
                median(behind.get(name)))));
        out.append("\nTargets: local 60 %, forwarded 25 %.\n");
        System.out.println(out);
        Files.createDirectories(REPORT.getParent());
        Files.writeString(REPORT, out);
    }

    /** An instance as in production: the JVM of the tests compiles less. */
    private Instance.Builder optimised(String name) {
        return BENCH.instance(topics)
                .with("stockstats.instance.name", name)
                .jvm("-XX:TieredStopAtLevel=4")
                .jvm("-XX:+UseG1GC")
                .jvm("-XX:-UseSerialGC")
                .jvm("-Xmx1g");
    }

    private static void send(TopicClient client, String ticker, long at) {
        Sale sale = Sale.of(ticker, "10.25", 1, at);
        client.send(StatsTopology.partitionOf(sale.key(), PARTITIONS), sale);
    }

    /** Of the tickers whose partitions this instance processes. */
    private List<String> paths(JsonNode instances, String name) {
        List<Integer> active = new ArrayList<>();
        instances.forEach(instance -> {
            if (instance.path("name").asText().equals(name)) {
                instance.path("active")
                        .forEach(each -> active.add(each.path("partition").asInt()));
            }
        });
        List<String> paths = tickers.stream()
                .filter(ticker ->
                        active.contains(StatsTopology.partitionOf(ticker.getBytes(StandardCharsets.UTF_8), PARTITIONS)))
                .map(ticker -> "/stats/" + ticker)
                .toList();
        assertFalse(paths.isEmpty(), () -> "no ticker is processed by " + name + ": " + instances);
        return paths;
    }

    /** Asks for each path in turn. */
    private String script(String name, List<String> paths) throws IOException {
        Path script = folder.resolve(name + ".lua");
        Files.writeString(
                script,
                paths.stream().map(path -> '"' + path + '"').collect(Collectors.joining(",", "local paths = {", "}\n"))
                        + "local at = 0\n"
                        + "request = function()\n"
                        + "  at = at % #paths + 1\n"
                        + "  return wrk.format('GET', paths[at])\n"
                        + "end\n");
        return script.toString();
    }

    private static double load(Instance instance, String script, int seconds) throws IOException, InterruptedException {
        Process wrk = new ProcessBuilder(
                        "wrk",
                        "-t1",
                        "-c" + CONNECTIONS,
                        "-d" + seconds + "s",
                        "--timeout",
                        "60s",
                        "-s",
                        script,
                        instance.address())
                .redirectErrorStream(true)
                .start();
        String said = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(wrk.waitFor() == 0 && !said.contains("Non-2xx") && !said.contains("Socket errors"), said);
        Matcher rate = RATE.matcher(said);
        assertTrue(rate.find(), said);
        return Double.parseDouble(rate.group(1));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
    }
}
