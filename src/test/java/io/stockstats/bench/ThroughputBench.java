package io.stockstats.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Trades that lie on a topic are counted by the floor, by the textbook topology and by the packaged service, in turn, by
 * processes with the same heap, threads and commit interval. The first half million trades are not counted: most of
 * what they cost is the compiler's. Measured until the group has committed the last trade.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(3_600)
class ThroughputBench {

    private static final int ROUNDS = Integer.getInteger("bench.rounds", 3);

    /** Names of contenders, separated by semicolons; all when absent. */
    private static final String ONLY = System.getProperty("bench.only", "");

    private static final int PARTITIONS = 4;
    private static final int MILLION = 1_000_000;
    private static final int WARM_UP = MILLION / 2;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Map<String, String> DELETE = Map.of("cleanup.policy", "delete");
    private static final Path REPORT = Path.of("target", "bench", "throughput.md");

    @TempDir
    static Path folder;

    private static Cluster cluster;
    private static long lastEventTime;
    private static int runs;

    /** What one run cost. */
    private record Cost(
            double cpuMicros,
            double perSecond,
            double peakMib,
            double changelogBytes,
            double changelogRecords,
            double outputRecords) {}

    @BeforeAll
    static void start() throws IOException {
        lastEventTime = System.currentTimeMillis() / 60_000 * 60_000 - 60_000;
        cluster = new Cluster(folder.resolve("broker"));
        Files.createDirectories(REPORT.getParent());
        Files.deleteIfExists(REPORT);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    @Order(1)
    void tenTickers() throws Exception {
        compare(new Workload("ten", 10, 2_000, WARM_UP + MILLION, false), all());
    }

    @Test
    @Order(2)
    void fiveThousandTickers() throws Exception {
        compare(new Workload("five-thousand", 5_000, 50_000, WARM_UP + MILLION, false), all());
    }

    @Test
    @Order(3)
    void fiftyThousandTickersByZipf() throws Exception {
        compare(new Workload("fifty-thousand-zipf", 50_000, 50_000, WARM_UP + MILLION, true), all());
    }

    @Test
    @Order(4)
    void withAndWithoutAStandby() throws Exception {
        Map<String, Contender> pairs = new LinkedHashMap<>();
        for (int standbys = 0; standbys <= 1; standbys++) {
            pairs.put(
                    "two instances, " + (standbys == 0 ? "no standby" : "one standby"),
                    Contender.twoInstances(Map.of("kafka-streams.num.standby.replicas", Integer.toString(standbys))));
        }
        compare(new Workload("standby", 5_000, 50_000, WARM_UP + MILLION, false), pairs);
    }

    @Test
    @Order(5)
    void fiveMillionOfTenTickers() throws Exception {
        compare(new Workload("ten-long", 10, 2_000, WARM_UP + 5 * MILLION, false), service());
    }

    @Test
    @Order(6)
    void fiveMillionOfFiveThousandTickers() throws Exception {
        compare(new Workload("five-thousand-long", 5_000, 50_000, WARM_UP + 5 * MILLION, false), service());
    }

    private static Map<String, Contender> all() {
        Map<String, Contender> all = new LinkedHashMap<>();
        all.put("floor", Contender.floor());
        all.put("textbook", Contender.textbook());
        all.putAll(service());
        all.put("stockstats, exactly-once", Contender.stockstats(Map.of("stockstats.processing", "exactly-once")));
        return all;
    }

    private static Map<String, Contender> service() {
        Map<String, Contender> all = new LinkedHashMap<>();
        all.put("stockstats", Contender.stockstats(Map.of()));
        all.put("stockstats, emit=final", Contender.stockstats(Map.of("stockstats.emit", "final")));
        return all;
    }

    private static void compare(Workload workload, Map<String, Contender> contenders) throws Exception {
        if (!ONLY.isEmpty()) {
            contenders.keySet().retainAll(List.of(ONLY.split(";")));
        }
        System.out.printf(Locale.ROOT, "%s: producing %,d trades%n", workload.name(), workload.trades());
        cluster.create(workload.topic(), PARTITIONS, DELETE);
        workload.produce(cluster.bootstrapServers(), lastEventTime);
        Map<String, List<Cost>> costs = new LinkedHashMap<>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (var contender : contenders.entrySet()) {
                Cost cost = measured(workload, contender.getValue());
                costs.computeIfAbsent(contender.getKey(), name -> new ArrayList<>())
                        .add(cost);
                System.out.printf(
                        Locale.ROOT,
                        "%s, round %d of %d: %-25s %6.2f µs CPU a trade, %,9.0f trades/s%n",
                        workload.name(),
                        round,
                        ROUNDS,
                        contender.getKey(),
                        cost.cpuMicros(),
                        cost.perSecond());
            }
        }
        cluster.delete(List.of(workload.topic()));
        String table = table(workload, costs);
        System.out.println(table);
        Files.writeString(REPORT, table + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static Cost measured(Workload workload, Contender contender) throws Exception {
        String group = "run-" + ++runs;
        Contender.Place place = new Contender.Place(
                cluster.bootstrapServers(),
                workload.topic(),
                group,
                folder.resolve(group),
                folder.resolve(group + ".log"));
        cluster.create(place.output(), PARTITIONS, DELETE);
        Cost cost;
        try (Subject subject = contender.start(place)) {
            subject.go();
            cluster.create(place.rejected(), 1, DELETE);
            long before = awaitCommitted(place, WARM_UP);
            Duration cpuBefore = subject.cpu();
            long began = System.nanoTime();
            long counted = awaitCommitted(place, workload.trades()) - before;
            double nanos = System.nanoTime() - began;
            Duration cpu = subject.cpu().minus(cpuBefore);
            List<String> changelogs = cluster.topics(group + "-").stream()
                    .filter(topic -> topic.endsWith("-changelog"))
                    .toList();
            double trades = workload.trades();
            long bytes = 0;
            long records = 0;
            for (String changelog : changelogs) {
                bytes += cluster.bytes(changelog);
                records += cluster.records(changelog);
            }
            cost = new Cost(
                    cpu.toNanos() / 1e3 / counted,
                    counted * 1e9 / nanos,
                    subject.peakMib(),
                    bytes / trades,
                    records / trades,
                    cluster.records(place.output()) / trades);
        }
        cluster.delete(cluster.topics(group + "-"));
        Utils.delete(place.state().toFile());
        return cost;
    }

    /** Returns how many are committed once at least so many are. */
    private static long awaitCommitted(Contender.Place place, long least)
            throws ExecutionException, InterruptedException {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            long committed = cluster.committed(place.trades(), place.group());
            if (committed >= least) {
                return committed;
            }
            assertTrue(System.nanoTime() < until, () -> "not done within " + PATIENCE);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String table(Workload workload, Map<String, List<Cost>> costs) {
        StringBuilder out = new StringBuilder(String.format(
                Locale.ROOT,
                "%n### %,d tickers%s, %,d trades/s of event time, %,d trades after %,d; medians of %d%n%n"
                        + "| | µs CPU a trade | trades/s | peak MiB | changelog bytes a trade"
                        + " | changelog records a trade | output records a trade |%n"
                        + "|---|---|---|---|---|---|---|%n",
                workload.tickers(),
                workload.zipf() ? " by Zipf's law" : "",
                workload.perSecond(),
                workload.trades() - WARM_UP,
                WARM_UP,
                ROUNDS));
        costs.forEach((name, of) -> out.append(String.format(
                Locale.ROOT,
                "| %s | %.2f | %,.0f | %.0f | %.1f | %.3f | %.3f |%n",
                name,
                median(of, Cost::cpuMicros),
                median(of, Cost::perSecond),
                median(of, Cost::peakMib),
                median(of, Cost::changelogBytes),
                median(of, Cost::changelogRecords),
                median(of, Cost::outputRecords))));
        List<Cost> textbook = costs.get("textbook");
        if (textbook != null) {
            out.append(costs.entrySet().stream()
                    .filter(each -> each.getKey().startsWith("stockstats"))
                    .map(each -> String.format(
                            Locale.ROOT,
                            "%s %.1f × less CPU and %.1f × the trades/s",
                            each.getKey(),
                            median(textbook, Cost::cpuMicros) / median(each.getValue(), Cost::cpuMicros),
                            median(each.getValue(), Cost::perSecond) / median(textbook, Cost::perSecond)))
                    .collect(Collectors.joining("; ", "\nAgainst textbook: ", ".\n")));
        }
        return out.toString();
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> what) {
        double[] sorted = costs.stream().mapToDouble(what).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
