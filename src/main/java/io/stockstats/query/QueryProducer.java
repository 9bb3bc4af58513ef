package io.stockstats.query;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.stockstats.stats.WindowRules;
import io.stockstats.store.Copy;
import io.stockstats.store.CopyLags;
import io.stockstats.store.InstanceAddress;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.Ownerships;
import io.stockstats.store.RestoreProgress;
import io.stockstats.store.TradesLag;
import io.stockstats.topology.InstanceConfig;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.PartitionTimes;
import io.stockstats.topology.StatsTopology;
import io.stockstats.wire.TopicsConfig;
import io.stockstats.wire.TradesConfig;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;

/** Puts the queries together. */
@Singleton
final class QueryProducer {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Produces
    @Singleton
    CopyLags copyLags() {
        return new CopyLags();
    }

    @Produces
    @Singleton
    TradesLag tradesLag(KafkaStreams streams, TopicsConfig topics) {
        return new TradesLag(streams, topics.trades());
    }

    @Produces
    @Singleton
    Ownerships ownerships(KafkaStreams streams, StreamsConfig config, TopicsConfig topics, TradesConfig trades) {
        String sourceTopic = trades.rekey()
                ? StatsTopology.byTickerTopic(config.getString(StreamsConfig.APPLICATION_ID_CONFIG))
                : topics.trades();
        return new Ownerships(
                streams, sourceTopic, InstanceAddress.parse(config.getString(StreamsConfig.APPLICATION_SERVER_CONFIG)));
    }

    @Produces
    @Singleton
    LocalPanes localPanes(
            KafkaStreams streams,
            StreamsConfig config,
            PartitionTimes times,
            CopyLags lags,
            Ownerships ownerships,
            WindowRules rules) {
        long caughtUp = config.getLong(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG);
        // A partition of this instance's own that it does not process yet is being restored: what it has may be
        // anything
        // until it has nearly all.
        IntPredicate restored = partition ->
                !ownerships.get().self().equals(ownerships.get().active().get(partition))
                        || lags.of(partition).orElse(Long.MAX_VALUE) <= caughtUp;
        return new LocalPanes(streams, times, lags, restored, rules);
    }

    @Produces
    @Singleton
    HttpPeers peers(Vertx vertx) {
        return new HttpPeers(vertx);
    }

    @Produces
    @Singleton
    PeerAnswers peerAnswers(LocalPanes panes) {
        return new PeerAnswers((partition, question) -> panes.read(partition, question::of));
    }

    @Produces
    @Singleton
    StatsQueries statsQueries(
            QueryConfig config,
            PartitionCount partitionCount,
            WindowRules rules,
            LocalPanes panes,
            Ownerships ownerships,
            HttpPeers peers,
            ExecutorService executor) {
        check(config);
        Gathering.Here here = (partition, question) -> panes.read(partition, question::of);
        Predicate<Copy<Slice>> recent = copy -> copy.active()
                || config.maxLag().isEmpty()
                || copy.lag().orElse(Long.MAX_VALUE) <= config.maxLag().get();
        return new StatsQueries(
                partitionCount,
                rules,
                new Gathering(ownerships, here, peers, executor, recent),
                new Gathering(ownerships, here, peers, executor, Copy::active),
                System::nanoTime,
                config.timeout(),
                pause -> CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, executor));
    }

    @Produces
    @Singleton
    Instances instances(
            InstanceConfig instance,
            QueryConfig config,
            KafkaStreams streams,
            Ownerships ownerships,
            TradesLag tradesLag,
            CopyLags copyLags,
            RestoreProgress restore,
            HttpPeers peers,
            ObjectMapper json) {
        return new Instances(
                instance.name().orElseGet(() -> keptName(streams)),
                streams,
                ownerships,
                tradesLag,
                copyLags,
                restore,
                peers,
                json,
                config.timeout());
    }

    /** Made of the id that Kafka Streams keeps in the state directory. */
    private static String keptName(KafkaStreams streams) {
        return streams.metadataForLocalThreads()
                .iterator()
                .next()
                .adminClientId()
                .replaceFirst("(-[^-]{8})-.*", "$1");
    }

    private static void check(QueryConfig config) {
        if (config.timeout().compareTo(SHORTEST) < 0 || config.timeout().compareTo(LONGEST) > 0) {
            throw new ConfigurationException("Configuration refused: stockstats.query.timeout must be from " + SHORTEST
                    + " to " + LONGEST + ", and is " + config.timeout());
        }
        if (config.maxLag().isPresent() && config.maxLag().get() < 0) {
            throw new ConfigurationException(
                    "Configuration refused: stockstats.query.max-lag must not be negative, and is "
                            + config.maxLag().get());
        }
    }
}
