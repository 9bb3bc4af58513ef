package io.stockstats.ops;

import static java.util.stream.Collectors.joining;

import io.stockstats.query.Instances;
import io.stockstats.store.RestoreProgress;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.StatsConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Liveness;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/**
 * What each probe may conclude.
 *
 * <p>Live is DOWN only when the process must be restarted. Started is UP as soon as the process serves HTTP. Ready is
 * first UP when the state has been restored and the copies have caught up that are kept here, or kept elsewhere of this
 * instance's partitions, so that a rolling update never stops the owner of an only copy; it stays UP from then on: a rebalance or a broker that is away is no
 * reason to send clients elsewhere, since every other instance is in the same case.
 */
@Singleton
final class HealthChecks {

    private final KafkaStreams streams;
    private final TopicsWatch topics;
    private final PartitionCount partitionCount;
    private final RestoreProgress restore;
    private final Instances instances;
    private final long caughtUp;
    private final boolean streamEnabled;
    private volatile boolean wasReady;

    HealthChecks(
            KafkaStreams streams,
            StreamsConfig config,
            TopicsWatch topics,
            PartitionCount partitionCount,
            RestoreProgress restore,
            Instances instances,
            StatsConfig stats) {
        this.streams = streams;
        this.topics = topics;
        this.partitionCount = partitionCount;
        this.restore = restore;
        this.instances = instances;
        this.streamEnabled = stats.streamEnabled();
        this.caughtUp = config.getLong(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG);
    }

    @Produces
    @Liveness
    @Singleton
    HealthCheck live() {
        return () -> {
            KafkaStreams.State state = streams.state();
            boolean dead = state == KafkaStreams.State.ERROR
                    || state == KafkaStreams.State.PENDING_ERROR
                    || state == KafkaStreams.State.NOT_RUNNING;
            return HealthCheckResponse.named("stream")
                    .status(!dead)
                    .withData("state", state.name())
                    .build();
        };
    }

    @Produces
    @Startup
    @Singleton
    HealthCheck started() {
        return () -> HealthCheckResponse.up("stream created");
    }

    @Produces
    @Readiness
    @Singleton
    HealthCheck ready() {
        if (!streamEnabled) {
            return () -> HealthCheckResponse.up("no stream");
        }
        return () -> {
            KafkaStreams.State state = streams.state();
            TopicsWatch.TopicsState seen = topics.state();
            List<Integer> behind = wasReady ? List.of() : copiesBehind();
            if (state == KafkaStreams.State.RUNNING
                    && seen.missing().isEmpty()
                    && partitionCount.getAsInt() > 0
                    && behind.isEmpty()) {
                wasReady = true;
            }
            HealthCheckResponseBuilder response =
                    HealthCheckResponse.named("state").status(wasReady).withData("state", state.name());
            if (!seen.seen()) {
                response.withData("waitingFor", "the broker");
            }
            if (!seen.missing().isEmpty()) {
                response.withData("missingTopics", String.join(",", seen.missing()));
            }
            long remaining = restore.remaining().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            if (remaining > 0) {
                response.withData("recordsToRestore", remaining);
            }
            if (!behind.isEmpty()) {
                response.withData(
                        "standbysBehind", behind.stream().map(String::valueOf).collect(joining(",")));
            }
            return response.build();
        };
    }

    private List<Integer> copiesBehind() {
        return instances.copiesBehind(caughtUp).toCompletableFuture().join();
    }
}
