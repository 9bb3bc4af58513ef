package io.stockstats.ops;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.stockstats.store.CopyLags;
import io.stockstats.store.Ownership;
import io.stockstats.store.Ownerships;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.PartitionTimes;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.stream.IntStream;
import org.apache.kafka.streams.KafkaStreams;
import org.jboss.logging.Logger;

/** Looks every second how far this instance's copies are behind; in a thread of its own, since brokers may be away. */
@Singleton
final class LagsWatch {

    private static final Logger LOG = Logger.getLogger(LagsWatch.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Many looks: for a moment of a rebalance this is usual. */
    private static final int DISAGREES_TOO_LONG = 30;

    private final KafkaStreams streams;
    private final CopyLags lags;
    private final PartitionTimes times;
    private final Ownerships ownerships;
    private final PartitionCount partitions;
    private int disagreed;
    private final Thread thread = new Thread(this::run, "lags-watch");

    LagsWatch(
            KafkaStreams streams,
            CopyLags lags,
            PartitionTimes times,
            Ownerships ownerships,
            PartitionCount partitions) {
        this.streams = streams;
        this.lags = lags;
        this.times = times;
        this.ownerships = ownerships;
        this.partitions = partitions;
        thread.setDaemon(true);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    void stop(@Observes ShutdownEvent event) {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!Thread.interrupted()) {
                lags.refresh(streams);
                warnOfSharedAddress();
                Thread.sleep(EVERY.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Of two members with one address the group knows one: the partitions of the other seem to be nobody's. */
    private void warnOfSharedAddress() {
        Ownership ownership = ownerships.get();
        boolean disagrees = streams.state() == KafkaStreams.State.RUNNING
                && IntStream.range(0, partitions.getAsInt())
                        .filter(partition -> times.of(partition) != null)
                        .anyMatch(partition ->
                                !ownership.self().equals(ownership.active().get(partition)));
        disagreed = disagrees ? disagreed + 1 : 0;
        if (disagreed == DISAGREES_TOO_LONG) {
            LOG.warnf(
                    "this instance processes partitions that the group takes for somebody else's: has another instance the"
                            + " same address, quarkus.kafka-streams.application-server=%s?",
                    ownership.self());
        }
    }
}
