package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.topology.KilledAtAStep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Panes wait in memory until Kafka Streams is about to commit, and updates of windows until the next emission. The
 * process is killed at each step between a trade's update, the writing of its pane, the broker's acknowledgement, the
 * commit and the emission, one after the other, while trades flow; what it promised holds.
 */
class CommitOrderIT {

    private static final List<String> TICKERS = List.of("MMM", "ABT", "BRK.B", "BTC/USDT");

    /** Trades are in memory only; amid the panes; all are sent and not acknowledged; amid windows, updates and final. */
    private static final List<String> STEPS =
            List.of("before poll 40", "after send:-changelog 60", "before flush 2", "after send:output 300");

    private static final Map<String, List<String>> COMMIT_STEPS = Map.of(
            "at_least_once", List.of("before commitSync 2", "after commitSync 3"),
            "exactly_once_v2",
                    List.of(
                            "after sendOffsetsToTransaction 1",
                            "before commitTransaction 3",
                            "after commitTransaction 2"));

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker(Map.of("group.min.session.timeout.ms", "500"));

    @ParameterizedTest
    @ValueSource(strings = {"at_least_once", "exactly_once_v2"})
    void losesNothingAtWhicheverStepItIsKilled(String guarantee) throws IOException, InterruptedException {
        // Given
        Topics topics = BENCH.freshTopics(2);
        Path folder = BENCH.freshFolder();
        Ledger ledger = new Ledger();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            Flow flow = new Flow(client, ledger, TICKERS, 2, 13);
            List<String> steps = new ArrayList<>(STEPS);
            steps.addAll(COMMIT_STEPS.get(guarantee));

            // When
            for (String step : steps) {
                Process process = start(topics, guarantee, folder, step);
                try {
                    assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> step + " is not come to");
                } finally {
                    process.destroyForcibly();
                }
                assertEquals(KilledAtAStep.KILLED, process.exitValue(), step);
            }
            flow.stop();
            flow.end();

            // Then the last record of each window is final and not short, or even exact
            Map<String, WindowJson> expected = ledger.windows(true);
            Process process = start(topics, guarantee, folder, "before nothing 1");
            try {
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> {
                            Map<String, WindowJson> last = new TreeMap<>(client.lastWindows());
                            last.keySet().removeIf(id -> id.startsWith("END"));
                            assertEquals(expected.keySet(), last.keySet());
                            last.forEach((id, window) -> {
                                if (guarantee.equals("exactly_once_v2")) {
                                    assertEquals(expected.get(id), window);
                                } else {
                                    window.assertAtLeast(expected.get(id));
                                }
                            });
                        });
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
    }

    private static Process start(Topics topics, String guarantee, Path folder, String step) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledAtAStep.class.getName(),
                        topics.trades(),
                        topics.output(),
                        topics.rejected(),
                        step,
                        "application.id=" + topics.application(),
                        "bootstrap.servers=" + BENCH.broker().bootstrapServers(),
                        "state.dir=" + folder,
                        "processing.guarantee=" + guarantee,
                        "commit.interval.ms=100",
                        "group.instance.id=steps",
                        "session.timeout.ms=1000",
                        "heartbeat.interval.ms=300")
                .redirectErrorStream(true)
                .redirectOutput(Files.createTempFile(folder.getParent(), "step-", ".log")
                        .toFile())
                .start();
    }
}
