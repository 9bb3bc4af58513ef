package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.dev.EmbeddedBroker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Produces trades, and reads what the application wrote, with Kafka's plain clients. */
final class TopicClient implements AutoCloseable {

    private static final int LARGEST_REQUEST = 8 << 20;
    private static final Duration READ_WITHIN = Duration.ofSeconds(30);

    private final String bootstrapServers;
    private final Topics topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicReference<@Nullable Exception> firstFailure = new AtomicReference<>();

    TopicClient(EmbeddedBroker broker, Topics topics) {
        this(broker, topics, "none");
    }

    /** One whose trades lie on the topic compressed like this. */
    TopicClient(EmbeddedBroker broker, Topics topics, String compression) {
        this.bootstrapServers = broker.bootstrapServers();
        this.topics = topics;
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "max.request.size",
                        LARGEST_REQUEST,
                        "compression.type",
                        compression,
                        "reconnect.backoff.max.ms",
                        500,
                        // A topic may be too new for the first batch, and later ones must not overtake it.
                        "max.in.flight.requests.per.connection",
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Sends the trade into this partition. */
    Future<RecordMetadata> send(int partition, Sale sale) {
        return producer.send(
                new ProducerRecord<>(topics.trades(), partition, sale.at(), sale.key(), sale.value()),
                (metadata, failure) -> {
                    if (failure != null) {
                        firstFailure.compareAndSet(null, failure);
                    }
                });
    }

    /** Sends the record, and returns its offset once the broker has it. */
    long send(ProducerRecord<byte[], byte[]> record) {
        return acknowledged(producer.send(record)).offset();
    }

    /** Sends the trades into this partition, notes them, and returns once the broker has them all. */
    void sendAll(int partition, Ledger ledger, List<Sale> sales) {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (Sale sale : sales) {
            sent.add(send(partition, sale));
            ledger.add(sale);
        }
        sent.forEach(TopicClient::acknowledged);
    }

    /** Returns once the broker has all that was sent. */
    void flush() {
        producer.flush();
        assertNull(firstFailure.get(), "a trade was not sent");
    }

    static RecordMetadata acknowledged(Future<RecordMetadata> sent) {
        try {
            return sent.get(60, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a trade was not sent", e);
        }
    }

    /** All committed records of a topic up to its present end. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "isolation.level",
                "read_committed",
                "auto.offset.reset",
                "earliest",
                "max.poll.records",
                10_000);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(each -> new TopicPartition(topic, each.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long until = System.nanoTime() + READ_WITHIN.toNanos();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                assertTrue(System.nanoTime() < until, "topic " + topic + " cannot be read to its end");
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** The windows on the output topic, in their order. */
    List<WindowJson> windows() {
        return records(topics.output()).stream().map(TopicClient::window).toList();
    }

    /** The last state of each window on the output topic, by {@link WindowJson#id()}. */
    Map<String, WindowJson> lastWindows() {
        Map<String, WindowJson> last = new LinkedHashMap<>();
        windows().forEach(window -> last.put(window.id(), window));
        return last;
    }

    private static WindowJson window(ConsumerRecord<byte[], byte[]> record) {
        WindowJson window = HttpAnswer.read(new String(record.value(), StandardCharsets.UTF_8), WindowJson.class);
        byte[] ticker = window.ticker().getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(
                ByteBuffer.allocate(ticker.length + Long.BYTES)
                        .put(ticker)
                        .putLong(window.windowStart())
                        .array(),
                record.key(),
                () -> "key of " + window);
        return window;
    }

    /** How many records of the trades topic the group has not committed. */
    static long uncommitted(Bench bench, Topics topics) {
        return bench.admin(admin -> {
            var committed = admin.listConsumerGroupOffsets(topics.application())
                    .partitionsToOffsetAndMetadata()
                    .get(30, TimeUnit.SECONDS);
            var description = admin.describeTopics(List.of(topics.trades()))
                    .allTopicNames()
                    .get(30, TimeUnit.SECONDS)
                    .get(topics.trades());
            long behind = 0;
            for (var partition : Objects.requireNonNull(description).partitions()) {
                TopicPartition each = new TopicPartition(topics.trades(), partition.partition());
                long end = admin.listOffsets(Map.of(each, OffsetSpec.latest()))
                        .partitionResult(each)
                        .get(30, TimeUnit.SECONDS)
                        .offset();
                var read = committed.get(each);
                behind += end - (read == null ? 0 : read.offset());
            }
            return behind;
        });
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
