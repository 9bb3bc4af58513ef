package io.stockstats.dev;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerTest {

    private static final String TOPIC = "stocks";

    @TempDir
    Path folder;

    @Test
    void keepsItsDataAndItsPortWhileItIsAway() throws Exception {
        // Given a broker that holds a record of a day long ago
        try (EmbeddedBroker broker = EmbeddedBroker.builder().folder(folder).start()) {
            int port = broker.port();
            createTopic(broker);
            send(broker, "MMM", "a trade of 1990");

            // When it stops and another one starts on the same port and folder
            broker.stop();
            assertTrue(Loopback.isFree(port), "a stopped broker listens on nothing");
            try (EmbeddedBroker again =
                    EmbeddedBroker.builder().folder(folder).port(port).start()) {

                // Then the record is still there
                assertEquals("127.0.0.1:" + port, again.bootstrapServers());
                assertEquals(List.of("MMM=a trade of 1990"), records(again));
            }
        }
        assertTrue(Files.exists(folder.resolve("meta.properties")), "a given folder survives close");
    }

    @Test
    void startsAgainAfterAStopAndLeavesNothingBehindWhenClosed() throws Exception {
        // Given a broker with a temporary folder of its own
        List<Path> before = temporaryFolders();
        EmbeddedBroker broker = EmbeddedBroker.builder().start();
        List<Path> own = temporaryFolders().stream()
                .filter(path -> !before.contains(path))
                .toList();
        createTopic(broker);
        send(broker, "AAPL", "a trade");
        int port = broker.port();

        // When it is stopped and started
        broker.stop();
        broker.start();

        // Then it has its port and its data
        assertEquals(port, broker.port());
        assertEquals(List.of("AAPL=a trade"), records(broker));

        // And when it is closed, then its folder is gone
        broker.close();
        assertEquals(1, own.size());
        assertFalse(Files.exists(own.get(0)));
    }

    @Test
    void refusesAPortThatIsTaken() throws Exception {
        // Given a port that something listens on
        try (ServerSocket taken = new ServerSocket(0, 1, Loopback.address())) {
            EmbeddedBroker.Builder builder =
                    EmbeddedBroker.builder().port(taken.getLocalPort()).folder(folder);

            // When a broker is to start on it
            EmbeddedBroker.PortTakenException refusal =
                    assertThrows(EmbeddedBroker.PortTakenException.class, builder::start);

            // Then the refusal names the port
            assertEquals(
                    "Port " + taken.getLocalPort() + " of 127.0.0.1 is taken by another process", refusal.getMessage());
        }
    }

    @Test
    void takesPropertiesAndCreatesNoTopicByItself() throws Exception {
        // Given a broker with a property that differs from its own
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .properties(Map.of("group.min.session.timeout.ms", "1000"))
                        .start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {

            // When it is asked for that property, for the age limit of records, and for a topic nobody created
            ConfigResource self = new ConfigResource(ConfigResource.Type.BROKER, "1");
            Config config = requireNonNull(admin.describeConfigs(List.of(self))
                    .all()
                    .get(20, TimeUnit.SECONDS)
                    .get(self));
            var described = admin.describeTopics(List.of(TOPIC)).allTopicNames();

            // Then
            assertEquals("1000", config.get("group.min.session.timeout.ms").value());
            assertEquals("-1", config.get("log.retention.ms").value());
            ExecutionException unknown =
                    assertThrows(ExecutionException.class, () -> described.get(20, TimeUnit.SECONDS));
            assertInstanceOf(UnknownTopicOrPartitionException.class, unknown.getCause());
        }
    }

    private static void createTopic(EmbeddedBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get(20, TimeUnit.SECONDS);
        }
    }

    private static void send(EmbeddedBroker broker, String key, String value) throws Exception {
        long longAgo = 631_152_000_000L;
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(TOPIC, 0, longAgo, key, value)).get(20, TimeUnit.SECONDS);
        }
    }

    private static List<String> records(EmbeddedBroker broker) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return consumer.poll(Duration.ofSeconds(20)).records(partition).stream()
                    .map(record -> record.key() + "=" + record.value())
                    .toList();
        }
    }

    private static List<Path> temporaryFolders() throws Exception {
        try (Stream<Path> paths = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return paths.filter(path -> path.getFileName().toString().startsWith("stockstats-broker-"))
                    .toList();
        }
    }
}
