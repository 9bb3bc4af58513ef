package io.stockstats.generate;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.stockstats.dev.EmbeddedBroker;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The publisher against a broker that comes late, goes away, stays away and comes back. */
@QuarkusTest
@TestProfile(TradePublisherTest.Generating.class)
@WithTestResource(TradePublisherTest.StoppableBroker.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TradePublisherTest {

    private static final int RATE = 200;
    private static final long SEED = 7;
    private static final int PARTITIONS = 3;
    private static final Duration LONG = Duration.ofSeconds(60);

    @Nullable
    EmbeddedBroker injectedBroker;

    @Inject
    TradePublisher publisher;

    @Inject
    MeterRegistry metrics;

    @Test
    @Order(1)
    void losesNothingAndKeepsEachTickersOrderWhileTheBrokerComesAndGoes()
            throws ExecutionException, InterruptedException {
        EmbeddedBroker broker = Objects.requireNonNull(injectedBroker);

        // Given a broker without the topic: the generator fills its window and waits
        await().atMost(LONG).until(() -> publisher.inFlight() == RATE);
        await().during(Duration.ofMillis(500)).until(() -> publisher.inFlight() == RATE && acknowledged() == 0);

        // When the topic comes, then trades flow
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("stocks", PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
        await().atMost(LONG).until(() -> acknowledged() > 3 * RATE);

        // When the broker goes and stays away for longer than counts as a stall, then no more than the window is made
        broker.stop();
        Instant gone = Instant.now();
        await().atMost(LONG).until(() -> publisher.inFlight() == RATE);
        double before = acknowledged();
        await().atMost(LONG)
                .during(TradePump.STALL.plusSeconds(1))
                .until(() -> publisher.inFlight() == RATE && acknowledged() == before);

        // When it comes back, then trades flow again
        Instant back = Instant.now();
        broker.start();
        await().atMost(LONG).until(() -> acknowledged() > before + 3 * RATE);
        publisher.onStop(new ShutdownEvent());

        // Then every trade that was made is there, once, in its ticker's order
        List<ConsumerRecord<String, String>> records = everythingAt(broker.bootstrapServers());
        assertEquals(acknowledged(), records.size());
        assertEquals(byTicker(expected(records.size())), byTicker(records));

        // Then the outage holds a window's trades at most, and what comes after it is of its own time
        long madeWhileAway = records.stream()
                .map(TradePublisherTest::eventTime)
                .filter(time -> time.isAfter(gone) && time.isBefore(back))
                .count();
        assertTrue(madeWhileAway <= RATE, "made while the broker was away: " + madeWhileAway);
        long madeAfterwards = records.stream()
                .map(TradePublisherTest::eventTime)
                .filter(time -> !time.isBefore(back))
                .count();
        assertTrue(madeAfterwards >= 2 * RATE, "made afterwards: " + madeAfterwards);
    }

    @Test
    @Order(2)
    void stopsAtOnceAndLeavesNoThreadBehindThoughTheBrokerIsAway() {
        // Given trades in flight to a broker that is away
        Objects.requireNonNull(injectedBroker).stop();
        publisher.onStart(new StartupEvent());
        await().atMost(LONG).until(() -> publisher.inFlight() == RATE);

        // When
        Instant begin = Instant.now();
        publisher.onStop(new ShutdownEvent());

        // Then
        Duration took = Duration.between(begin, Instant.now());
        assertTrue(took.compareTo(Duration.ofSeconds(2)) < 0, "took " + took);
        await().atMost(LONG)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().contains("stockstats-generator")));
    }

    private double acknowledged() {
        return metrics.get("stockstats.generator.trades").counter().count();
    }

    private List<ConsumerRecord<String, String>> everythingAt(String bootstrapServers) {
        List<TopicPartition> partitions = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition("stocks", partition))
                .toList();
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            await().atMost(LONG).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= end;
            });
        }
        return records;
    }

    private static List<ConsumerRecord<String, String>> expected(int count) {
        TradeGenerator generator = new TradeGenerator(TestConfig.defaults(), SEED);
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GeneratedTrade trade = generator.next(Instant.EPOCH);
            records.add(new ConsumerRecord<>("stocks", 0, i, text(trade.key()), text(trade.value())));
        }
        return records;
    }

    private static Map<String, List<String>> byTicker(List<ConsumerRecord<String, String>> records) {
        Map<String, List<String>> trades = new HashMap<>();
        for (ConsumerRecord<String, String> record : records) {
            String withoutTime = record.value().substring(0, record.value().indexOf(TIMESTAMP));
            trades.computeIfAbsent(record.key(), ticker -> new ArrayList<>()).add(withoutTime);
        }
        return trades;
    }

    private static final String TIMESTAMP = ",\"timestamp\":\"";

    private static Instant eventTime(ConsumerRecord<String, String> record) {
        String value = record.value();
        int begin = value.indexOf(TIMESTAMP) + TIMESTAMP.length();
        return Instant.parse(value.substring(begin, value.indexOf('"', begin)));
    }

    private static String text(byte @Nullable [] utf8) {
        return new String(Objects.requireNonNull(utf8), StandardCharsets.UTF_8);
    }

    public static final class Generating implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "stockstats.generator.enabled", "true",
                    "stockstats.generator.rate", Integer.toString(RATE),
                    "stockstats.generator.seed", Long.toString(SEED));
        }
    }

    public static final class StoppableBroker implements QuarkusTestResourceLifecycleManager {
        private @Nullable EmbeddedBroker broker;

        @Override
        public Map<String, String> start() {
            EmbeddedBroker started = EmbeddedBroker.builder().start();
            broker = started;
            return Map.of("kafka.bootstrap.servers", started.bootstrapServers());
        }

        @Override
        public void stop() {
            if (broker != null) {
                broker.close();
            }
        }

        @Override
        public void inject(TestInjector injector) {
            injector.injectIntoFields(broker, new TestInjector.MatchesType(EmbeddedBroker.class));
        }
    }
}
