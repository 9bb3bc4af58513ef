package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon a trade shows. */
class LatencyIT {

    private static final int TRADES = 200;
    private static final Duration PROMISED = Duration.ofSeconds(1);

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void showsATradeOverHttpWithinASecond(String processing) {
        // Given
        Topics topics = BENCH.freshTopics(3);
        Instance instance = BENCH.instance(topics)
                .with("stockstats.processing", processing)
                .start()
                .awaitReady();
        long[] nanos = new long[TRADES];
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int i = 0; i < TRADES; i++) {
                // When
                Sale sale = Sale.of("MMM", "10.25", 1, System.currentTimeMillis());
                String wanted = WindowJson.of(List.of(sale), 0, 5_000, false).lastTradeAt();
                long begin = System.nanoTime();
                client.send(1, sale);
                client.flush();
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> {
                            HttpAnswer answer = instance.get("/stats/MMM");
                            return answer.status() == 200
                                    && answer.as(WindowJson.class).lastTradeAt().equals(wanted);
                        });
                nanos[i] = System.nanoTime() - begin;
            }
        }

        // Then
        Arrays.sort(nanos);
        Duration p50 = Duration.ofNanos(nanos[TRADES / 2]);
        Duration p99 = Duration.ofNanos(nanos[TRADES * 99 / 100 - 1]);
        System.out.printf(
                "%s: a trade shows after %d ms (p50), %d ms (p99)%n", processing, p50.toMillis(), p99.toMillis());
        assertTrue(p99.compareTo(PROMISED) < 0, () -> "p99 is " + p99);
        assertEquals(TRADES, instance.metric("stockstats_trades_total"));
    }
}
