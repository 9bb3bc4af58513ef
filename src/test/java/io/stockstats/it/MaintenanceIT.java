package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What src/docs/operations.md says how to change while the service is stopped. */
class MaintenanceIT {

    private static final int SECONDS = 10;
    private static final Duration GRACE = Duration.ofSeconds(10);

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    private final Topics topics = BENCH.freshTopics(2);
    private final Instance.Builder builder = BENCH.instance(topics);
    private final long begin = System.currentTimeMillis() / 1_000 * 1_000 - SECONDS * 1_000;

    @Test
    void aWindowOfAnotherSizeIsMadeOfTheStateThatThereIs() {
        sendOneASecond(0, "MMM");
        Instance before = runUntilTheyCount("MMM", 5);
        assertEquals(0, before.terminate(GRACE));

        Instance after = builder.with("stockstats.window.size", "PT10S").start().awaitReady();

        assertEquals(10, latest(after, "MMM").path("countTrades").asLong());
        assertEquals(0.0, after.metric("stockstats_trades_total"), "trades read again");
    }

    @Test
    void anotherAdvanceTakesANewApplicationThatReadsTheTopicAnew() {
        sendOneASecond(0, "MMM");
        Instance before = runUntilTheyCount("MMM", 5);
        assertEquals(0, before.terminate(GRACE));

        builder.with("stockstats.window.advance", "PT0.5S")
                .with("stockstats.window.size", "PT2S")
                .with("quarkus.kafka-streams.application-id", topics.application() + "-2");
        Instance after = runUntilTheyCount("MMM", 2);

        assertEquals(SECONDS, after.metric("stockstats_trades_total"));
    }

    @Test
    void morePartitionsTakeANewApplicationThatReadsTheTopicAnew() {
        sendOneASecond(0, "MMM");
        Instance before = runUntilTheyCount("MMM", 5);
        assertEquals(0, before.terminate(GRACE));

        BENCH.admin(admin -> admin.createPartitions(Map.of(topics.trades(), NewPartitions.increaseTo(3)))
                .all()
                .get());
        sendOneASecond(2, "ABT");
        builder.with("quarkus.kafka-streams.application-id", topics.application() + "-2");
        Instance after = runUntilTheyCount("ABT", 5);

        after.awaitAnswer(
                "/stats/MMM",
                () -> assertEquals(5, latest(after, "MMM").path("countTrades").asLong()));
    }

    private void sendOneASecond(int partition, String ticker) {
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int second = 0; second < SECONDS; second++) {
                client.send(partition, Sale.of(ticker, "10.25", 1, begin + second * 1_000));
            }
            client.flush();
        }
    }

    private Instance runUntilTheyCount(String ticker, int trades) {
        Instance instance = builder.start().awaitReady();
        instance.awaitAnswer(
                "/stats/" + ticker,
                () -> assertEquals(
                        trades, latest(instance, ticker).path("countTrades").asLong()));
        return instance;
    }

    private static JsonNode latest(Instance instance, String ticker) {
        return instance.get("/stats/" + ticker).assertOk().json();
    }
}
