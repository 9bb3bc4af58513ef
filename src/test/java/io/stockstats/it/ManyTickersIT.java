package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How soon lists of all tickers come when these are many, and spread over instances. */
class ManyTickersIT {

    private static final long DAY = 1_760_000_000_000L;
    private static final int TICKERS = 5_000;
    private static final int PARTITIONS = 6;
    private static final int QUESTIONS = 60;
    private static final Duration FIRST_PAGE_TARGET = Duration.ofMillis(100);
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @Test
    void listsComeSoon() {
        // Given five thousand tickers, a trade in each of ten seconds, on three instances
        Topics topics = BENCH.freshTopics(PARTITIONS);
        List<String> tickers = IntStream.range(0, TICKERS)
                .mapToObj(i -> String.format("T%04d", i))
                .toList();
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int second = 0; second < 10; second++) {
                for (int i = 0; i < TICKERS; i++) {
                    client.send(i % PARTITIONS, Sale.of(tickers.get(i), "10.25", i, DAY + 1_000L * second));
                }
            }
            client.flush();
        }
        List<Instance> instances = IntStream.range(0, 3)
                .mapToObj(i -> BENCH.instance(topics).start())
                .toList();
        instances.forEach(Instance::awaitReady);
        for (Instance instance : instances) {
            await("partitions of " + instance).atMost(START_WITHIN).untilAsserted(() -> {
                JsonNode top = instance.get("/top?by=countTrades&n=100").json();
                assertTrue(top.path("complete").asBoolean() && !top.has("stale"), top::toString);
                top.path("top")
                        .forEach(each ->
                                assertEquals(10, each.path("countTrades").asInt()));
                assertEquals(DAY + 10_000, top.path("windowEnd").asLong());
                assertTrue(instance.get("/instances").json().path("instances").findValues("active").stream()
                        .allMatch(active -> active.size() == PARTITIONS / 3));
            });
        }

        // When they are read page by page
        List<String> read = new ArrayList<>();
        String after = "";
        do {
            JsonNode page =
                    instances.get(0).get("/stats?limit=1000" + after).assertOk().json();
            page.path("stats").forEach(each -> read.add(each.path("ticker").asText()));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());

        // Then none is missing, and the first page and the first of all come soon
        assertEquals(tickers, read);
        Duration page = median("the first page of 100", instances, "/stats");
        median("the first page of 1,000", instances, "/stats?limit=1000");
        median("the first three by volume", instances, "/top");
        System.out.printf("target for the first page: %d ms%n", FIRST_PAGE_TARGET.toMillis());
        // On a busy machine it may be late, but not by as much as a partition after the other would take.
        assertTrue(
                page.compareTo(FIRST_PAGE_TARGET.multipliedBy(5)) < 0,
                () -> "the first page takes " + page.toMillis() + " ms");
    }

    private static Duration median(String what, List<Instance> instances, String path) {
        long[] nanos = new long[QUESTIONS];
        for (int i = 0; i < QUESTIONS; i++) {
            long begin = System.nanoTime();
            instances.get(i % instances.size()).get(path).assertOk();
            nanos[i] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos);
        System.out.printf(
                "%d tickers on 3 instances: %s comes after %d ms (p50), %d ms (p95)%n",
                TICKERS, what, nanos[QUESTIONS / 2] / 1_000_000, nanos[QUESTIONS * 95 / 100] / 1_000_000);
        return Duration.ofNanos(nanos[QUESTIONS / 2]);
    }
}
