package io.stockstats.live;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockstats.query.StatsQueries;
import io.stockstats.stats.WindowRules;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PartitionCount;
import io.stockstats.topology.PartitionTimes;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.state.HostInfo;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts the hub together. */
@Singleton
final class LiveProducer {

    /** What a client waits for an update at most, beside what the stream takes. */
    private static final Duration BETWEEN_ROUNDS = Duration.ofMillis(100);

    /** By itself, because the topology needs it, and all else needs the topology. */
    @Produces
    @Singleton
    LatestInbox latestInbox() {
        return new LatestInbox();
    }

    @Produces
    @Singleton
    LiveHub liveHub(
            LatestInbox inbox,
            Vertx vertx,
            KafkaStreams streams,
            StatsQueries queries,
            PartitionTimes times,
            PartitionCount partitions,
            WindowRules rules,
            MeterRegistry registry,
            @ConfigProperty(name = "quarkus.kafka-streams.application-server") String self) {
        LocalPanes panes = new LocalPanes(streams, times, rules);
        LiveSources sources = new LiveSources(
                source(vertx, () -> Snapshots.everything(queries, rules.size())),
                source(vertx, () -> Snapshots.local(panes, partitions.get(), rules.size())),
                new StreamsPeers(streams, HostInfo.buildFromEndpoint(self)),
                new HttpPeerDialer(vertx.createHttpClient(HttpPeerDialer.options())),
                Rounds.every(BETWEEN_ROUNDS),
                System::nanoTime);
        LiveHub hub = new LiveHub(sources, inbox);
        Gauge.builder("stockstats.stream.clients", hub, LiveHub::viewers)
                .description("Clients of /stream")
                .register(registry);
        return hub;
    }

    /** Reads on a worker thread. */
    private static SnapshotSource source(Vertx vertx, Callable<SnapshotSource.Snapshot> read) {
        return () -> vertx.executeBlocking(read, false).toCompletionStage();
    }
}
