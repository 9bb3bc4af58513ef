package io.stockstats.bench;

import io.stockstats.dev.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** The broker of a measurement, with Kafka's own size of segments, and what is asked of it. */
final class Cluster implements AutoCloseable {

    private final Path folder;
    private final EmbeddedBroker broker;
    private final Admin admin;

    /** Starts a broker that keeps its data in this folder. */
    Cluster(Path folder) {
        this.folder = folder;
        broker = EmbeddedBroker.builder().folder(folder).start();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    void create(String topic, int partitions, Map<String, String> config)
            throws ExecutionException, InterruptedException {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
                .all()
                .get();
    }

    /** Deletes the topics that are there. */
    void delete(Collection<String> topics) throws ExecutionException, InterruptedException {
        admin.deleteTopics(topics).all().get();
    }

    /** The topics whose names begin like this. */
    List<String> topics(String prefix) throws ExecutionException, InterruptedException {
        return admin.listTopics().names().get().stream()
                .filter(topic -> topic.startsWith(prefix))
                .toList();
    }

    /** The sum of the offsets that the group has committed. */
    long committed(String topic, String group) throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet().stream()
                .filter(each -> each.getKey().topic().equals(topic) && each.getValue() != null)
                .mapToLong(each -> each.getValue().offset())
                .sum();
    }

    /** How many records were ever written to the topic. */
    long records(String topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        Objects.requireNonNull(admin.describeTopics(List.of(topic))
                        .allTopicNames()
                        .get()
                        .get(topic))
                .partitions()
                .forEach(each -> ends.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
        return admin.listOffsets(ends).all().get().values().stream()
                .mapToLong(each -> each.offset())
                .sum();
    }

    /** What the topic's segments hold now. */
    long bytes(String topic) throws IOException {
        long sum = 0;
        try (Stream<Path> files = Files.walk(folder, 2)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".log")
                            && each.getParent().getFileName().toString().matches(topic + "-\\d+"))
                    .toList()) {
                sum += Files.size(file);
            }
        }
        return sum;
    }

    @Override
    public void close() {
        admin.close();
        broker.close();
    }
}
