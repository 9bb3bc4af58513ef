package io.stockstats.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.common.annotation.Identifier;
import io.stockstats.store.RestoreProgress;
import io.stockstats.store.TradesLag;
import io.stockstats.topology.LargestRejected;
import io.stockstats.topology.PaneStore;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.TopConfig;
import io.stockstats.wire.TopicsConfig;
import io.stockstats.wire.TradesConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the topics that the service needs, from start to stop: creates missing ones where that is asked for, says
 * which are missing, and learns from them how many partitions there are and how large a rejected record may be.
 */
@Singleton
final class TopicsWatch {

    private static final Logger LOG = Logger.getLogger(TopicsWatch.class);
    private static final Duration WAITING = Duration.ofSeconds(1);
    private static final Duration WATCHING = Duration.ofSeconds(15);
    private static final Duration GAUGES_EVERY = Duration.ofSeconds(1);
    static final int CALL_TIMEOUT_SECONDS = 10;

    private final TopicsConfig topics;
    private final boolean topLists;
    private final PartitionCount partitionCount;
    private final LargestRejected largestRejected;
    private final Map<String, Object> brokerConfig;
    private final String applicationId;
    private final LostTrades lostTrades;
    private final PartitionGauges gauges;
    private final Thread thread = new Thread(this::run, "topics-watch");

    private volatile boolean stopped;
    private volatile TopicsState state = new TopicsState(false, Set.of());

    TopicsWatch(
            TopicsConfig topics,
            TradesConfig trades,
            TopConfig top,
            PartitionCount partitionCount,
            LargestRejected largestRejected,
            @Identifier("default-kafka-broker") Map<String, Object> brokerConfig,
            @ConfigProperty(name = "quarkus.kafka-streams.application-id") String applicationId,
            TradesLag tradesLag,
            RestoreProgress restore,
            MeterRegistry registry) {
        this.topics = topics;
        this.topLists = top.enabled();
        this.partitionCount = partitionCount;
        this.largestRejected = largestRejected;
        this.brokerConfig = brokerConfig;
        this.applicationId = applicationId;
        this.gauges = new PartitionGauges(tradesLag, restore, registry);
        this.lostTrades = new LostTrades(applicationId, topics.trades(), trades.start(), registry);
        thread.setDaemon(true);
    }

    /**
     * What was last seen of the topics.
     *
     * @param seen whether the broker has answered at all
     * @param missing the topics that were missing, by name
     */
    record TopicsState(boolean seen, Set<String> missing) {}

    TopicsState state() {
        return state;
    }

    void start(@Observes @Priority(100) StartupEvent event) {
        thread.start();
    }

    void stop(@Observes ShutdownEvent event) {
        stopped = true;
        thread.interrupt();
    }

    private void run() {
        Map<String, Object> config = new HashMap<>();
        for (String name : AdminClientConfig.configNames()) {
            if (brokerConfig.containsKey(name)) {
                config.put(name, brokerConfig.get(name));
            }
        }
        config.put(AdminClientConfig.CLIENT_ID_CONFIG, applicationId + "-topics-watch");
        boolean reachable = true;
        try (Admin admin = Admin.create(config)) {
            while (!stopped) {
                Duration pause = WAITING;
                try {
                    look(admin);
                    if (!reachable) {
                        LOG.info("the broker answers again");
                    }
                    reachable = true;
                    pause = state.missing().isEmpty() ? WATCHING : WAITING;
                } catch (ExecutionException | TimeoutException e) {
                    if (reachable) {
                        LOG.warnf(
                                "the broker at kafka.bootstrap.servers=%s %s; asking on: %s",
                                brokerConfig.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG),
                                isRefusal(e) ? "refuses" : "does not answer",
                                reason(e));
                    }
                    reachable = false;
                } catch (RuntimeException e) {
                    LOG.error("the topics cannot be looked at; trying on", e);
                }
                long until = System.nanoTime() + pause.toNanos();
                do {
                    gauges.refresh();
                    Thread.sleep(GAUGES_EVERY.toMillis());
                } while (System.nanoTime() < until);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the broker has answered, and asking again alone will not change what. */
    private static boolean isRefusal(Exception e) {
        return e.getCause() instanceof ApiException cause && !(cause instanceof RetriableException);
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private void look(Admin admin) throws ExecutionException, TimeoutException, InterruptedException {
        Set<String> existing = admin.listTopics().names().get(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        List<String> missing =
                needed().stream().filter(topic -> !existing.contains(topic)).toList();
        if (!missing.isEmpty() && topics.create()) {
            create(admin, missing);
            missing = List.of();
        }
        TopicsState now = new TopicsState(true, new LinkedHashSet<>(missing));
        if (!now.equals(state) && !missing.isEmpty()) {
            LOG.warnf("waiting for topics that do not exist: %s", String.join(", ", missing));
        }
        if (missing.isEmpty()) {
            learn(admin, existing);
        }
        state = now;
    }

    private List<String> needed() {
        return topLists
                ? List.of(topics.trades(), topics.output(), topics.rejected(), topics.top())
                : List.of(topics.trades(), topics.output(), topics.rejected());
    }

    private void create(Admin admin, List<String> missing)
            throws ExecutionException, TimeoutException, InterruptedException {
        Optional<Short> replication = topics.replication() < 0 ? Optional.empty() : Optional.of(topics.replication());
        List<NewTopic> wanted = missing.stream()
                .map(topic -> new NewTopic(topic, Optional.of(topics.partitions()), replication)
                        .configs(Map.of(
                                TopicConfig.CLEANUP_POLICY_CONFIG,
                                topic.equals(topics.output()) || topic.equals(topics.top())
                                        ? "compact,delete"
                                        : "delete")))
                .toList();
        try {
            admin.createTopics(wanted).all().get(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            LOG.infof("created topics: %s (%d partitions each)", String.join(", ", missing), topics.partitions());
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
    }

    private void learn(Admin admin, Set<String> existing)
            throws ExecutionException, TimeoutException, InterruptedException {
        TopicDescription tradesTopic = admin.describeTopics(List.of(topics.trades()))
                .allTopicNames()
                .get(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .get(topics.trades());
        if (tradesTopic == null) {
            return;
        }
        int partitions = tradesTopic.partitions().size();
        String changelog = applicationId + "-" + PaneStore.NAME + "-changelog";
        if ((existing.contains(changelog) && refuseChangedPartitions(admin, changelog, partitions))
                || learnLargest(admin)) {
            return;
        }
        partitionCount.set(partitions);
        lostTrades.report(admin, partitions);
    }

    /** State is kept by partition: with another number of them, tickers would be looked for where they are not. */
    private boolean refuseChangedPartitions(Admin admin, String changelog, int partitions)
            throws ExecutionException, TimeoutException, InterruptedException {
        TopicDescription kept = admin.describeTopics(List.of(changelog))
                .allTopicNames()
                .get(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .get(changelog);
        if (kept != null && kept.partitions().size() != partitions) {
            LOG.errorf(
                    "topic %s (stockstats.topics.trades) has %d partitions, and the state was made with %d: set the"
                            + " number back, or give the service a new quarkus.kafka-streams.application-id and replay",
                    topics.trades(), partitions, kept.partitions().size());
            Quarkus.asyncExit(1);
            return true;
        }
        return false;
    }

    /** Whether a topic takes so little that the service cannot work. */
    private boolean learnLargest(Admin admin) throws TimeoutException, InterruptedException {
        ConfigResource output = new ConfigResource(ConfigResource.Type.TOPIC, topics.output());
        ConfigResource rejected = new ConfigResource(ConfigResource.Type.TOPIC, topics.rejected());
        ConfigResource lists = new ConfigResource(ConfigResource.Type.TOPIC, topics.top());
        try {
            Map<ConfigResource, Config> settings = admin.describeConfigs(
                            topLists ? List.of(output, rejected, lists) : List.of(output, rejected))
                    .all()
                    .get(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            int largestReject = largest(settings.get(rejected));
            largestRejected.topicTakes(largestReject);
            return refuseSmall("stockstats.topics.output", topics.output(), largest(settings.get(output)))
                    || refuseSmall("stockstats.topics.rejected", topics.rejected(), largestReject)
                    || (topLists && refuseSmall("stockstats.topics.top", topics.top(), largest(settings.get(lists))));
        } catch (ExecutionException e) {
            // Not being allowed to read topics' settings is no reason to stop: the broker's default stands.
            LOG.debugf(e, "cannot read the settings of %s and %s", topics.output(), topics.rejected());
            return false;
        }
    }

    private static int largest(@Nullable Config settings) {
        ConfigEntry largest = settings == null ? null : settings.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
        return largest == null ? LargestRejected.BROKER_DEFAULT : Integer.parseInt(largest.value());
    }

    private static boolean refuseSmall(String property, String topic, int largest) {
        if (largest < LargestRejected.LEAST) {
            LOG.errorf(
                    "topic %s (%s) takes %d bytes at most, less than a batch of records: set its max.message.bytes to at"
                            + " least %d",
                    topic, property, largest, LargestRejected.LEAST);
            Quarkus.asyncExit(1);
            return true;
        }
        return false;
    }
}
