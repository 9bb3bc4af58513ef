package io.stockstats.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.stockstats.stats.WindowRules;
import io.stockstats.wire.TopicsConfig;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeFields;
import io.stockstats.wire.TradeFormat;
import io.stockstats.wire.TradesConfig;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Hands {@link StatsTopology} to Quarkus, which runs it, and what the stream shares with queries to those. */
@Singleton
final class TopologyProducer {

    @Produces
    @Singleton
    Topology topology(
            StatsConfig stats,
            WindowConfig window,
            TradesConfig trades,
            TopicsConfig topics,
            WindowRules rules,
            MeterRegistry registry,
            PartitionTimes times,
            LargestRejected largestRejected,
            LatestWindows latest,
            TopConfig top,
            PartitionCount partitions) {
        TopologySettings settings = new TopologySettings(
                topics.trades(),
                topics.output(),
                topics.rejected(),
                rules,
                window.idle(),
                stats.emit(),
                stats.emitInterval(),
                stats.store(),
                trades.start(),
                trades.rekey(),
                top.enabled() ? Optional.of(new TopSettings(topics.top(), top.rule())) : Optional.empty());
        TradeFormat format = new TradeFormat(
                TradeFields.STOCKSTATS,
                trades.timestampUnit(),
                trades.types().orElse(Set.of()),
                trades.rekey(),
                trades.earliest(),
                trades.maxFuture());
        return StatsTopology.build(
                settings,
                new TradeDecoder(format, Clock.systemUTC()),
                new StreamCounters(registry),
                times,
                largestRejected,
                latest,
                partitions);
    }

    @Produces
    @Singleton
    PartitionTimes partitionTimes() {
        return new PartitionTimes();
    }

    @Produces
    @Singleton
    PartitionCount partitionCount() {
        return new PartitionCount();
    }

    @Produces
    @Singleton
    LargestRejected largestRejected() {
        return new LargestRejected();
    }

    @Produces
    @Singleton
    WindowRules windowRules(
            StatsConfig stats,
            WindowConfig window,
            TradesConfig trades,
            TopicsConfig topics,
            TopConfig top,
            InstanceConfig instance,
            @ConfigProperty(name = "quarkus.kafka-streams.application-server") String address) {
        // Here, because everything that is configured wrongly would fail first where these are made.
        ConfigCheck.check(stats, window, trades, topics, top, instance, address);
        return window.rules();
    }
}
