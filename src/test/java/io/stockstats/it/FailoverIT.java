package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances come, go and are killed, while trades flow and a client asks all of them for every ticker. */
class FailoverIT {

    private static final int PARTITIONS = 6;
    private static final Duration UNANSWERED_TARGET = Duration.ofSeconds(2);
    private static final double REFUSED_PERCENT_TARGET = 0.5;

    /** How much worse than its target a figure may be on a busy machine: what is worse is a fault, wherever it runs. */
    private static final int SLACK = 4;

    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(60);

    /** Two in each partition. */
    private static final List<String> TICKERS =
            IntStream.range(0, 2 * PARTITIONS).mapToObj(i -> "T/" + i).toList();

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker(Map.of("group.initial.rebalance.delay.ms", "500"));

    private final List<String> table = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({"at-least-once, true, 15", "exactly-once, false, 30"})
    void everyTickerIsAnsweredForWhateverHappens(String processing, boolean named, int freshWithinSeconds)
            throws Exception {
        // Given two instances, with names or without, trades, and a client
        Topics topics = BENCH.freshTopics(PARTITIONS);
        Ledger ledger = new Ledger();
        List<Instance.Builder> builders = IntStream.range(0, 3)
                .mapToObj(i -> {
                    Instance.Builder builder = BENCH.instance(topics).with("stockstats.processing", processing);
                    return named ? builder.with("stockstats.instance.name", "stockstats-" + i) : builder;
                })
                .toList();
        try (TopicClient topicClient = new TopicClient(BENCH.broker(), topics)) {
            Flow flow = new Flow(topicClient, ledger, TICKERS, PARTITIONS, 5);
            List<Instance> instances = new ArrayList<>();
            instances.add(builders.get(0).start());
            instances.add(builders.get(1).start());
            instances.forEach(Instance::awaitReady);
            try (Client client = new Client(TICKERS, instances.get(0), instances.get(1))) {
                settled(client);

                // When a third joins
                long begun = client.begin();
                instances.add(builders.get(2).start().awaitReady());
                client.alsoAsk(instances.get(2));
                await("the third has partitions of its own")
                        .atMost(SETTLED_WITHIN)
                        .until(() -> activePartitions(instances.get(2)) > 0);
                settled(client);
                smooth("scale 2 to 3", client.effect(begun), processing);

                // When all are replaced, one after another
                begun = client.begin();
                for (int i = 0; i < 3; i++) {
                    client.askNoMore(instances.get(i));
                    assertEquals(0, instances.get(i).terminate(Duration.ofSeconds(20)));
                    instances.set(
                            i, builders.get(i).start(instances.get(i).port()).awaitReady());
                    client.alsoAsk(instances.get(i));
                }
                settled(client);
                smooth("rolling restart", client.effect(begun), processing);
                restored("after clean stops", instances, topics, processing);

                // When one is killed
                begun = client.begin();
                instances.get(1).kill();
                settled(client);
                Client.Effect killed = client.effect(begun);
                row("kill -9 of one of three", killed, processing);
                judge("unanswered", killed.unanswered().toMillis(), UNANSWERED_TARGET.toMillis());
                judge("fresh again after", killed.freshAfter().toMillis(), 1_000L * freshWithinSeconds);
                assertTrue(killed.stale() > 0, "nobody noticed");

                // When it comes back on its state directory
                client.askNoMore(instances.get(1));
                begun = client.begin();
                instances.set(1, builders.get(1).start(instances.get(1).port()).awaitReady());
                client.alsoAsk(instances.get(1));
                settled(client);
                smooth("back after kill -9", client.effect(begun), processing);
                restored("after kill -9", List.of(instances.get(1)), topics, processing);

                // When the third goes
                begun = client.begin();
                client.askNoMore(instances.get(2));
                assertEquals(0, instances.get(2).terminate(Duration.ofSeconds(20)));
                settled(client);
                smooth("scale 3 to 2", client.effect(begun), processing);
            }

            // Then no window is short, or all are exact
            flow.stop();
            flow.end();
            Map<String, WindowJson> expected = ledger.windows(true);
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> {
                        Map<String, WindowJson> last = new TreeMap<>(topicClient.lastWindows());
                        last.keySet().removeIf(id -> id.startsWith("END"));
                        assertEquals(expected.keySet(), last.keySet());
                        last.forEach((id, window) -> {
                            if (processing.equals("exactly-once")) {
                                assertEquals(expected.get(id), window);
                            } else {
                                window.assertAtLeast(expected.get(id));
                            }
                        });
                    });
            instances.forEach(instance -> assertFalse(instance.log().contains("a stream thread died")));
        } finally {
            table.forEach(System.out::println);
        }
    }

    private static int activePartitions(Instance instance) {
        return instance.get("/internal/v1/instance").json().path("active").size();
    }

    private static void settled(Client client) {
        await("every ticker is answered for by its owner")
                .pollDelay(Duration.ofMillis(600))
                .atMost(SETTLED_WITHIN)
                .until(client::allFresh);
    }

    /** Nobody was killed: next to no question may be refused. */
    private void smooth(String event, Client.Effect effect, String processing) {
        row(event, effect, processing);
        judge("503, percent", effect.refusedPercent(), REFUSED_PERCENT_TARGET);
        judge("unanswered", effect.unanswered().toMillis(), UNANSWERED_TARGET.toMillis());
    }

    /** Says so when a target is missed, and fails when it is missed by far. */
    private void judge(String what, double measured, double target) {
        if (measured > target) {
            table.add(String.format("%-14s MISSED: %s %.2f, target %.2f", "", what, measured, target));
        }
        assertTrue(measured <= SLACK * target, () -> what + " " + measured + ", target " + target);
    }

    /**
     * What the instances restored at their last start, in percent of what their changelogs hold. Where others took over
     * meanwhile that is what these wrote; RestartIT has an instance alone, which restores nothing.
     */
    private void restored(String event, List<Instance> instances, Topics topics, String processing) {
        long records = instances.stream().mapToLong(Instance::restored).sum();
        long all = BENCH.endOffsets(topics.application() + "-panes-changelog");
        double percent = 100.0 * records / all;
        table.add(String.format(
                "%-14s %-24s restored %d changelog records of %d (%.2f %%)", processing, event, records, all, percent));
    }

    private void row(String event, Client.Effect effect, String processing) {
        table.add(String.format(
                "%-14s %-24s questions %5d, 503 %d (%.2f %%), from a copy %4d, longest without an answer %4d ms, fresh"
                        + " again after %5d ms",
                processing,
                event,
                effect.questions(),
                effect.refused(),
                effect.refusedPercent(),
                effect.stale(),
                effect.unanswered().toMillis(),
                effect.freshAfter().toMillis()));
    }
}
