package io.stockstats.bench;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes until a stream runs again: after it was stopped, after it was killed, and without its disk. A
 * million trades of 5,000 tickers, five minutes of event time, come ten times as fast as they happened. Then the process
 * is started anew; measured from there until its stream runs.
 */
@Timeout(3_600)
class RecoveryBench {

    private static final Workload WORKLOAD = new Workload("recovery", 5_000, 3_333, 1_000_000, false);
    private static final int PACE = 33_333;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Path REPORT = Path.of("target", "bench", "recovery.md");
    private static final Pattern RESTORED = Pattern.compile("restore done: partition=\\d+ records=(\\d+) ms=(\\d+)");

    @TempDir
    static Path folder;

    private int starts;

    /** One start: seconds until it runs, records restored, and the seconds that the slowest partition's restore took. */
    private record Start(double seconds, long records, double restoring) {
        String row() {
            return String.format(Locale.ROOT, "%.1f s, %,d restored in %.1f s", seconds, records, restoring);
        }
    }

    @Test
    void untilTheStreamRunsAgain() throws Exception {
        StringBuilder report = new StringBuilder(String.format(
                Locale.ROOT,
                "%n### Recovery: %,d tickers, %,d trades in five minutes of event time, %,d a second%n%n"
                        + "| | live records | ever written | in the changelog at the restart | MB | MB on disk | stopped and started"
                        + " | killed and started | without its disk |%n|---|---|---|---|---|---|---|---|---|%n",
                WORKLOAD.tickers(),
                WORKLOAD.trades(),
                PACE));
        try (Cluster cluster = new Cluster(folder.resolve("broker"))) {
            report.append(row(cluster, "textbook", "stats", false, Contender.textbook()));
            report.append(row(
                    cluster, "stockstats, changelog as Kafka has it", "panes", true, Contender.stockstats(Map.of())));
            report.append(row(cluster, "stockstats", "panes", false, Contender.stockstats(Map.of())));
            report.append(row(
                    cluster,
                    "stockstats, exactly-once",
                    "panes",
                    false,
                    Contender.stockstats(Map.of("stockstats.processing", "exactly-once"))));
        }
        System.out.println(report);
        Files.createDirectories(REPORT.getParent());
        Files.writeString(REPORT, report);
    }

    private String row(Cluster cluster, String name, String store, boolean changelogAsKafkaHasIt, Contender contender)
            throws Exception {
        System.out.println(name + ": the trades come");
        String group = name.replaceAll("\\W+", "-");
        Contender.Place place = new Contender.Place(
                cluster.bootstrapServers(),
                group + "-trades",
                group,
                folder.resolve(group),
                folder.resolve(group + ".log"));
        Map<String, String> delete = Map.of("cleanup.policy", "delete");
        cluster.create(place.trades(), PARTITIONS, delete);
        cluster.create(place.output(), PARTITIONS, delete);
        cluster.create(place.rejected(), 1, delete);
        String changelog = group + "-" + store + "-changelog";
        if (changelogAsKafkaHasIt) {
            cluster.create(changelog, PARTITIONS, Map.of("cleanup.policy", "compact"));
        }
        try (Subject subject = contender.start(place)) {
            subject.go();
            subject.awaitLog(Subject.RUNNING, PATIENCE);
            WORKLOAD.produce(cluster.bootstrapServers(), place.trades(), System.currentTimeMillis(), PACE);
            long until = System.nanoTime() + PATIENCE.toNanos();
            while (cluster.committed(place.trades(), group) < WORKLOAD.trades()) {
                assertTrue(System.nanoTime() < until, "the trades are not counted");
                LockSupport.parkNanos(100_000_000);
            }
        }
        long written = cluster.records(changelog);
        long bytes = cluster.bytes(changelog);
        long disk = size(place.state());
        long[] inLogAndLive = inLogAndLive(cluster.bootstrapServers(), changelog);
        Start stopped = start(contender, place, true);
        System.out.println(name + ", stopped and started: " + stopped.row());
        Start killed = start(contender, place, false);
        System.out.println(name + ", killed and started: " + killed.row());
        Utils.delete(place.state().toFile());
        Start wiped = start(contender, place, false);
        System.out.println(name + ", without its disk: " + wiped.row());
        cluster.delete(cluster.topics(group));
        return String.format(
                Locale.ROOT,
                "| %s | %,d | %,d | %,d, %.2f × live | %.1f | %.1f | %s | %s | %s |%n",
                name,
                inLogAndLive[1],
                written,
                inLogAndLive[0],
                inLogAndLive[0] / (double) inLogAndLive[1],
                bytes / 1e6,
                disk / 1e6,
                stopped.row(),
                killed.row(),
                wiped.row());
    }

    /** Starts it; once it runs, kills or stops it. */
    private Start start(Contender contender, Contender.Place place, boolean thenKill) throws Exception {
        Contender.Place anew = new Contender.Place(
                place.bootstrapServers(),
                place.trades(),
                place.group(),
                place.state(),
                folder.resolve(place.group() + "-" + ++starts + ".log"));
        long began = System.nanoTime();
        try (Subject subject = contender.start(anew)) {
            subject.go();
            subject.awaitLog(Subject.RUNNING, PATIENCE);
            double seconds = (System.nanoTime() - began) / 1e9;
            long records = 0;
            long slowest = 0;
            Matcher restored = RESTORED.matcher(subject.log());
            while (restored.find()) {
                records += Long.parseLong(restored.group(1));
                slowest = Math.max(slowest, Long.parseLong(restored.group(2)));
            }
            if (thenKill) {
                subject.kill();
            }
            return new Start(seconds, records, slowest / 1e3);
        }
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(Path::toFile)
                    .filter(File::isFile)
                    .mapToLong(File::length)
                    .sum();
        }
    }

    /** How many records a restore reads now, and how many keys are alive. */
    private static long[] inLogAndLive(String bootstrapServers, String topic) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest", "max.poll.records", 10_000);
        long records = 0;
        Set<Bytes> live = new HashSet<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = new HashMap<>(consumer.endOffsets(partitions));
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    records++;
                    if (record.value() == null) {
                        live.remove(Bytes.wrap(record.key()));
                    } else {
                        live.add(Bytes.wrap(record.key()));
                    }
                }
            }
        }
        return new long[] {records, live.size()};
    }
}
