package io.stockstats.live;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockstats.query.StatsQueries;
import io.stockstats.query.StatsQueries.Consistency;
import io.stockstats.stats.WindowRules;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.Ownership;
import io.stockstats.store.Ownerships;
import io.stockstats.topology.PartitionCount;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

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
            StatsQueries queries,
            LocalPanes panes,
            Ownerships ownerships,
            PartitionCount partitions,
            WindowRules rules,
            MeterRegistry registry) {
        LiveSources sources = new LiveSources(
                () -> reading(
                                vertx,
                                () -> Snapshots.everything(after -> queries.all(
                                        Collections.emptySortedSet(),
                                        after,
                                        Snapshots.PER_PAGE,
                                        rules.size(),
                                        Consistency.ANY)))
                        .thenCompose(Function.identity()),
                () -> reading(vertx, () -> Snapshots.local(panes, partitions.get(), rules.size())),
                () -> {
                    Ownership ownership = ownerships.get();
                    return new Peers.View(ownership.peers(), ownership);
                },
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
    private static <T> CompletionStage<T> reading(Vertx vertx, Callable<T> read) {
        return vertx.executeBlocking(read, false).toCompletionStage();
    }
}
