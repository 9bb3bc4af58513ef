package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The process is killed again and again while trades flow; what it promised holds. */
class CrashIT {

    private static final int KILLS = 3;
    private static final List<String> TICKERS = List.of("MMM", "ABT", "BRK.B", "BTC/USDT");

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @ParameterizedTest
    @CsvSource({"at-least-once, 7", "exactly-once, 11"})
    void losesNothingHoweverOftenItIsKilled(String processing, long seed) throws Exception {
        // Given trades that flow, out of order within the grace, and an instance with a name and a folder of its own
        Topics topics = BENCH.freshTopics(2);
        Random random = new Random(seed);
        Ledger ledger = new Ledger();
        Instance.Builder builder = BENCH.instance(topics)
                .with("stockstats.processing", processing)
                .with("kafka-streams.group.instance.id", "crash");
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            Flow flow = new Flow(client, ledger, TICKERS, 2, seed);

            // When it is killed at random moments, of its start as well as of its work
            for (int kill = 0; kill < KILLS; kill++) {
                Instance instance = builder.start();
                if (kill % 2 == 0) {
                    instance.awaitReady();
                }
                assertFalse(instance.endsWithin(Duration.ofMillis(500 + random.nextInt(2_500))), instance::log);
                instance.kill();
            }
            flow.stop();
            Instance instance = builder.start().awaitReady();
            flow.end();

            // Then the last record of each window is final and not short, or even exact
            Map<String, WindowJson> expected = ledger.windows(true);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        Map<String, WindowJson> last = new TreeMap<>(client.lastWindows());
                        last.keySet().removeIf(id -> id.startsWith("END"));
                        assertEquals(expected.keySet(), last.keySet());
                        last.forEach((id, window) -> {
                            WindowJson oracle = expected.get(id);
                            if (processing.equals("exactly-once")) {
                                assertEquals(oracle, window);
                            } else {
                                window.assertAtLeast(oracle);
                            }
                        });
                    });
            assertFalse(instance.log().contains("a stream thread died"), "a stream thread died");
            System.out.printf(
                    "%s: %d kills, %d trades, %d windows, of which counted twice in part: %d%n",
                    processing,
                    KILLS,
                    ledger.size(),
                    expected.size(),
                    client.lastWindows().values().stream()
                            .filter(window -> expected.containsKey(window.id())
                                    && window.countTrades()
                                            > expected.get(window.id()).countTrades())
                            .count());
        }
    }
}
