package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The process is killed again and again while trades flow; what it promised holds. */
class CrashIT {

    private static final long DAY = 1_760_000_000_000L;
    private static final int KILLS = 5;
    private static final String[] TICKERS = {"MMM", "ABT", "BRK.B", "BTC/USDT"};

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
            Flow flow = new Flow(client, ledger, seed);

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
            for (int partition = 0; partition < 2; partition++) {
                Sale end = Sale.of("END" + partition, "1", 1, flow.eventTime() + 120_000);
                TopicClient.acknowledged(client.send(partition, end));
            }

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
                                assertAtLeast(oracle, window);
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

    /** A trade that is counted twice changes sums and counts, and nothing else. */
    private static void assertAtLeast(WindowJson oracle, WindowJson window) {
        assertTrue(window.isFinal(), window::toString);
        assertTrue(window.countTrades() >= oracle.countTrades(), () -> window + " is short of " + oracle);
        assertTrue(window.sumPrice() >= oracle.sumPrice(), () -> window + " is short of " + oracle);
        assertTrue(window.volume() >= oracle.volume(), () -> window + " is short of " + oracle);
        assertTrue(window.turnover() >= oracle.turnover(), () -> window + " is short of " + oracle);
        assertEquals(oracle.type(), window.type());
        assertEquals(oracle.minPrice(), window.minPrice());
        assertEquals(oracle.maxPrice(), window.maxPrice());
        assertEquals(oracle.openPrice(), window.openPrice());
        assertEquals(oracle.closePrice(), window.closePrice());
        assertEquals(oracle.firstTradeAt(), window.firstTradeAt());
        assertEquals(oracle.lastTradeAt(), window.lastTradeAt());
    }

    /** Two hundred trades a second; five seconds of event time in one of the wall clock's. */
    private static final class Flow {

        private final TopicClient client;
        private final Ledger ledger;
        private final Random random;
        private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
        private final AtomicReference<Future<RecordMetadata>> last = new AtomicReference<>();
        private long sent;

        Flow(TopicClient client, Ledger ledger, long seed) {
            this.client = client;
            this.ledger = ledger;
            this.random = new Random(seed);
            pace.scheduleAtFixedRate(this::send, 0, 5, TimeUnit.MILLISECONDS);
        }

        private void send() {
            int ticker = random.nextInt(TICKERS.length);
            Sale sale = new Sale(
                    TICKERS[ticker],
                    random.nextInt(20) == 0 ? "BID" : "ASK",
                    BigDecimal.valueOf(400 + random.nextInt(200), 0).divide(BigDecimal.valueOf(4)),
                    random.nextInt(100),
                    DAY + 25 * sent++ + random.nextInt(3_000));
            ledger.add(sale);
            last.set(client.send(ticker % 2, sale));
        }

        /** Ends the flow once the broker has all of it. */
        void stop() throws InterruptedException {
            pace.shutdown();
            assertTrue(pace.awaitTermination(30, TimeUnit.SECONDS));
            client.flush();
            TopicClient.acknowledged(last.get());
        }

        long eventTime() {
            return DAY + 25 * sent;
        }
    }
}
