package io.stockstats.it;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State outlives its process, its folder, and the age of its data. */
class RestartIT {

    /** 2013-06-03T14:30:00Z: older than any retention time that a broker might be given. */
    private static final long OLD_DAY = 1_370_269_800_000L;

    /** Longer than any start takes, also on a busy machine. */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(60);

    /** A broker that deletes by age as soon as it may. */
    @RegisterExtension
    static final Bench BENCH = Bench.withBroker(Map.of(
            "log.retention.ms",
            "3600000",
            "log.retention.check.interval.ms",
            "200",
            "log.segment.delete.delay.ms",
            "0"));

    @ParameterizedTest
    @ValueSource(strings = {"at-least-once", "exactly-once"})
    void answersAfterACleanRestartAsBefore(String processing) throws Exception {
        // Given an instance with windows of which some are final
        Topics topics = BENCH.freshTopics(3, Map.of("retention.ms", "-1"), Map.of());
        Ledger ledger = new Ledger();
        Instance.Builder builder = BENCH.instance(topics)
                .with("stockstats.processing", processing)
                .with("kafka-streams.session.timeout.ms", Long.toString(SESSION_TIMEOUT.toMillis()));
        Instance before = builder.start().awaitReady();
        sendOldDay(topics, ledger);
        awaitAll(before, ledger);
        List<String> answers = answers(before);
        assertTrue(answers.stream().anyMatch(body -> body.contains("\"final\":true")), answers::toString);
        assertTrue(answers.stream().anyMatch(body -> body.contains("\"final\":false")), answers::toString);
        await().untilAsserted(() -> assertEquals(0, TopicClient.uncommitted(BENCH, topics)));

        // When it is told to stop
        int exit = before.terminate(Duration.ofSeconds(10));

        // Then it closes the stream and says so
        assertEquals(0, exit);
        assertTrue(before.log().contains("stream closed in "), "log says that the stream was closed");

        // And when it starts again on the same state
        long begun = System.nanoTime();
        Instance after = builder.start().awaitReady();
        Duration back = Duration.ofNanos(System.nanoTime() - begun);
        awaitAll(after, ledger);

        // Then it is back before the broker would have missed the instance that stopped: that one left its group
        assertTrue(back.compareTo(SESSION_TIMEOUT) < 0, () -> "ready after " + back);

        // And it answers as before, from its disk
        assertEquals(answers, answers(after));
        System.out.printf(
                "%s: clean stop, restart on the same state directory: restored %d of %d changelog records (target: under"
                        + " 1 %%)%n",
                processing, after.restored(), BENCH.endOffsets(topics.changelog()));
        assertEquals(0, after.restored(), "changelog records restored");
        assertEquals(0.0, after.metric("stockstats_trades_total"), "trades read again");
    }

    @Test
    void restoresAnOldDayThatTheBrokerWouldHaveDeletedByItsAge() throws Exception {
        // Given an old day's trades, and a topic of the same records that the broker deletes by their age
        Topics topics = BENCH.freshTopics(3, Map.of("retention.ms", "-1"), Map.of());
        String control = "deleted-by-age";
        BENCH.create(new NewTopic(control, 1, (short) 1));
        Ledger ledger = new Ledger();
        Instance.Builder builder = BENCH.instance(topics);
        Instance before = builder.start().awaitReady();
        sendOldDay(topics, ledger);
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            client.send(new ProducerRecord<>(control, 0, OLD_DAY, new byte[1], new byte[1]));
        }
        awaitAll(before, ledger);
        List<String> answers = answers(before);
        await("the broker deletes by age")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertEquals(1, firstOffset(control, 0)));

        // When the instance is started without its folder
        assertEquals(0, before.terminate(Duration.ofSeconds(10)));
        Utils.delete(builder.stateDir().toFile());
        Instance after = builder.start().awaitReady();

        // Then all of it comes back from the changelog, which is compacted only
        awaitAll(after, ledger);
        assertEquals(answers, answers(after));
        assertEquals(Map.of(0, 0L, 1, 0L, 2, 0L), firstOffsets(topics.changelog()));
        assertEquals("compact", cleanupPolicy(topics.changelog()));
        int panes = 4 * 90;
        assertTrue(after.restored() >= panes, () -> "restored " + after.restored() + " of at least " + panes);
        assertEquals(0.0, after.metric("stockstats_trades_total"), "trades read again");
    }

    /** A minute and a half of trades of four tickers in three partitions: at first final windows, at the end not. */
    private static void sendOldDay(Topics topics, Ledger ledger) {
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            String[] tickers = {"MMM", "ABT", "BRK.B", "币安人生USDT"};
            for (int i = 0; i < 180; i++) {
                for (int ticker = 0; ticker < tickers.length; ticker++) {
                    Sale sale = Sale.of(tickers[ticker], 100 + ticker + "." + 25 * (i % 4), i % 7, OLD_DAY + 500L * i);
                    ledger.add(sale);
                    client.send(ticker % 3, sale);
                }
            }
            client.flush();
        }
    }

    private static void awaitAll(Instance instance, Ledger ledger) {
        for (String path : List.of("MMM", "ABT", "BRK.B", "%E5%B8%81%E5%AE%89%E4%BA%BA%E7%94%9FUSDT")) {
            String ticker = URLDecoder.decode(path, StandardCharsets.UTF_8);
            instance.awaitAnswer(
                    "/stats/" + path,
                    () -> assertEquals(
                            ledger.latest(ticker, 5_000, false),
                            instance.get("/stats/" + path).assertOk().as(WindowJson.class)));
        }
    }

    private static List<String> answers(Instance instance) {
        return Stream.of(
                        "/stats",
                        "/stats?window=PT1M",
                        "/stats/MMM/windows?limit=1000&from=" + OLD_DAY,
                        "/stats/ABT/windows?limit=1000&from=" + OLD_DAY,
                        "/stats/BRK.B/windows?limit=1000&order=desc",
                        "/stats/%E5%B8%81%E5%AE%89%E4%BA%BA%E7%94%9FUSDT/windows?limit=1000&from=" + OLD_DAY)
                .map(path -> instance.get(path).assertOk().body())
                .toList();
    }

    private static Map<Integer, Long> firstOffsets(String topic) {
        return Map.of(0, firstOffset(topic, 0), 1, firstOffset(topic, 1), 2, firstOffset(topic, 2));
    }

    private static long firstOffset(String topic, int partition) {
        TopicPartition each = new TopicPartition(topic, partition);
        return BENCH.admin(admin -> admin.listOffsets(Map.of(each, OffsetSpec.earliest()))
                .partitionResult(each)
                .get(30, TimeUnit.SECONDS)
                .offset());
    }

    private static String cleanupPolicy(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        return BENCH.admin(admin -> Objects.requireNonNull(admin.describeConfigs(List.of(resource))
                        .all()
                        .get(30, TimeUnit.SECONDS)
                        .get(resource))
                .get("cleanup.policy")
                .value());
    }
}
