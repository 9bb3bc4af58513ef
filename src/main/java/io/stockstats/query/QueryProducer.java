package io.stockstats.query;

import io.stockstats.stats.WindowRules;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PartitionCount;
import io.stockstats.topology.PartitionTimes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.apache.kafka.streams.KafkaStreams;

/** Puts the queries together. */
@Singleton
final class QueryProducer {

    @Produces
    @Singleton
    PartitionCount partitionCount() {
        return new PartitionCount();
    }

    @Produces
    @Singleton
    StatsQueries statsQueries(
            KafkaStreams streams, PartitionTimes times, WindowRules rules, PartitionCount partitionCount) {
        return new StatsQueries(new LocalPanes(streams, times, rules), partitionCount);
    }
}
