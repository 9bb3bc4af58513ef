package io.stockstats.live;

import io.stockstats.store.InstanceAddress;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.state.HostInfo;

/** The other instances, as Kafka Streams knows them from the last rebalance. */
final class StreamsPeers implements Peers {

    private static final View NOBODY = new View(Set.of(), Set.of());

    private final KafkaStreams streams;
    private final HostInfo self;

    /** @param self this instance's own {@code application.server} */
    StreamsPeers(KafkaStreams streams, HostInfo self) {
        this.streams = streams;
        this.self = self;
    }

    @Override
    public View now() {
        if (!streams.state().isRunningOrRebalancing()) {
            return NOBODY;
        }
        try {
            Set<StreamsMetadata> all = Set.copyOf(streams.metadataForAllStreamsClients());
            return new View(
                    all.stream()
                            .map(StreamsMetadata::hostInfo)
                            .filter(host -> !host.equals(self) && host.port() > 0)
                            .map(host -> new InstanceAddress(host.host(), host.port()))
                            .collect(Collectors.toUnmodifiableSet()),
                    all);
        } catch (StreamsNotStartedException e) {
            return NOBODY;
        } catch (IllegalStateException e) {
            // Closed between the two calls.
            return NOBODY;
        }
    }
}
