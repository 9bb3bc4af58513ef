package io.stockstats.it;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.stockstats.dev.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What the tests of one class work with: a broker, and instances of the packaged application. Instances are killed
 * after each test, and their logs shown when it failed; the broker and all folders go at the end.
 */
final class Bench implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static final long CALL_TIMEOUT_SECONDS = 30;

    private final Map<String, String> brokerProperties;
    private final boolean brokerWanted;
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private @Nullable EmbeddedBroker broker;
    private @Nullable Path folder;

    private Bench(boolean brokerWanted, Map<String, String> brokerProperties) {
        this.brokerWanted = brokerWanted;
        this.brokerProperties = brokerProperties;
    }

    /** With a broker that runs. */
    static Bench withBroker(Map<String, String> properties) {
        return new Bench(true, properties);
    }

    /** With a broker that runs. */
    static Bench withBroker() {
        return withBroker(Map.of());
    }

    /** Without a broker until the test starts one. */
    static Bench withoutBroker() {
        return new Bench(false, Map.of());
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        folder = Files.createTempDirectory("stockstats-it-");
        // A build that is interrupted leaves no process behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> instances.forEach(Instance::close)));
        if (brokerWanted) {
            startBroker(freePort());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        boolean failed = context.getExecutionException().isPresent();
        for (Instance instance : instances) {
            instance.close();
            if (failed) {
                System.err.printf("---- log of %s%n%s----%n", instance, instance.log());
            }
        }
        instances.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        if (broker != null) {
            broker.close();
        }
        Utils.delete(folder().toFile());
    }

    /** Starts the broker on this port, instead of the one that runs; its data lie in the bench's folder. */
    void startBroker(int port) {
        startBroker(port, brokerProperties, folder().resolve("broker"));
    }

    /** Starts a broker without data and with these properties on this port, instead of the one that runs. */
    void startBroker(int port, Map<String, String> properties) {
        startBroker(port, properties, freshFolder());
    }

    private void startBroker(int port, Map<String, String> properties, Path data) {
        if (broker != null) {
            broker.stop();
        }
        broker = EmbeddedBroker.builder()
                .folder(data)
                .port(port)
                .properties(properties)
                .start();
    }

    EmbeddedBroker broker() {
        return Objects.requireNonNull(broker, "no broker was started");
    }

    /** Names that no other test of this JVM has. */
    static Topics freshNames() {
        return Topics.of(Integer.toString(TESTS.incrementAndGet()));
    }

    /** Topics of fresh names, which exist; that of trades with so many partitions. */
    Topics freshTopics(int partitions) {
        return freshTopics(partitions, Map.of(), Map.of());
    }

    /** Topics of fresh names, which exist; those of trades and of rejected records with these settings. */
    Topics freshTopics(int partitions, Map<String, String> trades, Map<String, String> rejected) {
        Topics topics = freshNames();
        create(
                new NewTopic(topics.trades(), partitions, (short) 1).configs(trades),
                new NewTopic(topics.output(), partitions, (short) 1).configs(Map.of("cleanup.policy", "delete")),
                new NewTopic(topics.rejected(), 1, (short) 1).configs(rejected));
        return topics;
    }

    void create(NewTopic... topics) {
        admin(admin -> admin.createTopics(List.of(topics)).all().get(CALL_TIMEOUT_SECONDS, SECONDS));
    }

    /** Asks the broker. */
    <T> T admin(AdminCall<T> call) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker().bootstrapServers()))) {
            return call.on(admin);
        } catch (Exception e) {
            throw new IllegalStateException("the broker refused", e);
        }
    }

    /** The sum of the ends of the topic's partitions: how many records were ever written to it. */
    long endOffsets(String topic) {
        return admin(admin -> {
            var description = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get(CALL_TIMEOUT_SECONDS, SECONDS)
                    .get(topic);
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            Objects.requireNonNull(description)
                    .partitions()
                    .forEach(each -> ends.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get(CALL_TIMEOUT_SECONDS, SECONDS).values().stream()
                    .mapToLong(ListOffsetsResultInfo::offset)
                    .sum();
        });
    }

    /** A question to the broker. */
    interface AdminCall<T> {
        T on(Admin admin) throws Exception;
    }

    /** An instance to be, on a free port, with a new state directory. */
    Instance.Builder instance(Topics topics) {
        return new Instance.Builder(this, broker().bootstrapServers(), topics, freshFolder());
    }

    /** An instance to be, whose broker is at this port or is not. */
    Instance.Builder instance(Topics topics, int brokerPort) {
        return new Instance.Builder(this, "127.0.0.1:" + brokerPort, topics, freshFolder());
    }

    void started(Instance instance) {
        instances.add(instance);
    }

    Path freshFolder() {
        try {
            return Files.createTempDirectory(folder(), "state-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path folder() {
        return Objects.requireNonNull(folder, "the tests have not begun");
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
