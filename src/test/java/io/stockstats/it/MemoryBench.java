package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.bench.Workload;
import io.stockstats.kubernetes.Manifests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The resident memory of the image's container, and how many trades it is behind, over minutes of steady load: a table
 * and a figure. Needs podman.
 */
@Timeout(3_600)
class MemoryBench {

    private static final int MINUTES = Integer.getInteger("bench.minutes", 15);
    private static final int PER_SECOND = 5_000;
    private static final int PARTITIONS = 4;
    private static final int SAMPLE_SECONDS = 5;
    private static final Workload WORKLOAD =
            new Workload("memory", 5_000, PER_SECOND, MINUTES * 60 * PER_SECOND, false);

    /** The heap, the block cache and compiled code have filled by then. */
    private static final int WARM_SECONDS = MINUTES * 60 / 3;

    private static final String CONTAINER = "stockstats-memory";
    private static final Path FOLDER = Path.of("target", "bench");

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    /** What was read at one moment. */
    private record Sample(double second, double mebibytes, double lag) {}

    @Test
    void staysFlatAtTheManifestsLimit() throws IOException, InterruptedException, ExecutionException {
        String limit = Manifests.of(Path.of("target", "kubernetes", "kubernetes.yml"))
                .get("StatefulSet", "stockstats")
                .at("/spec/template/spec/containers/0/resources/limits/memory")
                .asText();
        Topics topics = BENCH.freshTopics(PARTITIONS);
        try (Podman podman = Podman.start()) {
            podman.build(Path.of("src", "main", "docker", "Dockerfile.jvm"));
            Instance instance = BENCH.instance(topics)
                    .in(podman, CONTAINER, limit.replace("Mi", "m").replace("Gi", "g"))
                    .start()
                    .awaitReady();
            Path process = Path.of("/proc", podman.inspect(CONTAINER, "{{.State.Pid}}"));
            List<Sample> samples = new ArrayList<>();
            long began = System.nanoTime();
            ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
            ScheduledFuture<?> sampling = clock.scheduleAtFixedRate(
                    () -> samples.add(sample(instance, process, began)), 0, SAMPLE_SECONDS, TimeUnit.SECONDS);

            WORKLOAD.produce(
                    BENCH.broker().bootstrapServers(),
                    topics.trades(),
                    System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(MINUTES),
                    PER_SECOND);

            assertTrue(!sampling.isDone(), () -> "the container cannot be asked any more: " + sampling);
            sampling.cancel(false);
            clock.shutdown();
            assertTrue(clock.awaitTermination(1, TimeUnit.MINUTES), "a sample takes a minute");
            report(samples, limit);
        }
    }

    private static Sample sample(Instance instance, Path process, long began) {
        try {
            double kibibytes = Files.readAllLines(process.resolve("status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")))
                    .sum();
            Sample sample = new Sample((System.nanoTime() - began) / 1e9, kibibytes / 1_024, instance.lag());
            System.out.printf(
                    Locale.ROOT, "%,.0f s: %,.0f MiB, lag %,.0f%n", sample.second(), sample.mebibytes(), sample.lag());
            return sample;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void report(List<Sample> samples, String limit) throws IOException {
        List<Sample> warm =
                samples.stream().filter(each -> each.second() >= WARM_SECONDS).toList();
        List<Sample> first = warm.subList(0, warm.size() / 4);
        List<Sample> last = warm.subList(warm.size() - warm.size() / 4, warm.size());
        String table = String.format(
                Locale.ROOT,
                "%n### Memory: %,d tickers, %,d trades/s, %d min, a container of %s%n%n"
                        + "| | |%n|---|---|%n"
                        + "| resident, mean from %d to %.0f s | %.0f MiB |%n"
                        + "| resident, mean of the last %.0f s | %.0f MiB |%n"
                        + "| resident, most | %.0f MiB |%n"
                        + "| lag, median | %,.0f trades |%n"
                        + "| lag, most once warm | %,.0f trades |%n",
                WORKLOAD.tickers(),
                PER_SECOND,
                MINUTES,
                limit,
                WARM_SECONDS,
                first.get(first.size() - 1).second(),
                mean(first),
                last.get(last.size() - 1).second() - last.get(0).second(),
                mean(last),
                most(samples, Sample::mebibytes),
                warm.stream()
                        .mapToDouble(Sample::lag)
                        .sorted()
                        .skip(warm.size() / 2)
                        .findFirst()
                        .orElseThrow(),
                most(warm, Sample::lag));
        System.out.println(table);
        Files.createDirectories(FOLDER);
        Files.writeString(FOLDER.resolve("memory.md"), table);
        Files.writeString(FOLDER.resolve("memory.svg"), figure(samples, limit));
    }

    private static double mean(List<Sample> samples) {
        return samples.stream().mapToDouble(Sample::mebibytes).average().orElseThrow();
    }

    private static double most(List<Sample> samples, ToDoubleFunction<Sample> value) {
        return samples.stream().mapToDouble(value).max().orElseThrow();
    }

    /** Two panels over the same minutes: memory below its limit, and lag. */
    private static String figure(List<Sample> samples, String limit) {
        double limitMebibytes = limit.endsWith("Gi")
                ? 1_024 * Double.parseDouble(limit.replace("Gi", ""))
                : Double.parseDouble(limit.replace("Mi", ""));
        double mostLag = Math.max(1, most(samples, Sample::lag));
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 330" font-family="sans-serif" font-size="12">
                <rect width="760" height="330" fill="#fff"/>
                <text x="60" y="20" fill="#222">Resident memory, MiB: %,d tickers, %,d trades/s; dashed: the limit, %s</text>
                <path d="M60 40H740" stroke="#b3261e" stroke-dasharray="6 4"/>
                %s<text x="60" y="200" fill="#222">Trades behind</text>
                %s%s</svg>
                """.formatted(
                        WORKLOAD.tickers(),
                        PER_SECOND,
                        limit,
                        panel(samples, Sample::mebibytes, limitMebibytes, 40, 165, "#1f6feb"),
                        panel(samples, Sample::lag, mostLag, 215, 300, "#9a6700"),
                        minutes());
    }

    private static String panel(
            List<Sample> samples, ToDoubleFunction<Sample> value, double most, int top, int bottom, String colour) {
        String points = samples.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        60 + 680 * each.second() / (MINUTES * 60),
                        bottom - (bottom - top) * value.applyAsDouble(each) / most))
                .collect(Collectors.joining(" "));
        return String.format(
                Locale.ROOT,
                "<text x=\"52\" y=\"%d\" text-anchor=\"end\" fill=\"#555\">%,.0f</text>%n"
                        + "<text x=\"52\" y=\"%d\" text-anchor=\"end\" fill=\"#555\">0</text>%n"
                        + "<path d=\"M60 %d H740\" stroke=\"#bbb\"/>%n"
                        + "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>%n",
                top + 4,
                most,
                bottom + 4,
                bottom,
                points,
                colour);
    }

    private static String minutes() {
        StringBuilder out = new StringBuilder();
        for (int minute = 0; minute <= MINUTES; minute += 3) {
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.0f\" y=\"318\" text-anchor=\"middle\" fill=\"#555\">%d min</text>%n",
                    60 + 680.0 * minute / MINUTES,
                    minute));
        }
        return out.toString();
    }
}
