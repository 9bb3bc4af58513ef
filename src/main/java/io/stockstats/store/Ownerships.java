package io.stockstats.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.StreamsNotStartedException;
import org.apache.kafka.streams.state.HostInfo;

/** Reads the {@link Ownership} from the stream's metadata, and remembers it while the stream starts or stops. */
public final class Ownerships implements Supplier<Ownership> {

    private final KafkaStreams streams;
    private final String sourceTopic;
    private final InstanceAddress self;
    private volatile Ownership last;

    /**
     * @param sourceTopic the topic whose partitions panes are kept by
     * @param self under which the other instances reach this one
     */
    public Ownerships(KafkaStreams streams, String sourceTopic, InstanceAddress self) {
        this.streams = streams;
        this.sourceTopic = sourceTopic;
        this.self = self;
        this.last = Ownership.none(self);
    }

    @Override
    public Ownership get() {
        try {
            last = read();
        } catch (StreamsNotStartedException | IllegalStateException e) {
            // Starting or stopping: the others can still be asked.
        }
        return last;
    }

    private Ownership read() {
        Map<Integer, InstanceAddress> active = new HashMap<>();
        Map<Integer, Set<InstanceAddress>> standbys = new HashMap<>();
        Set<InstanceAddress> peers = new HashSet<>();
        for (StreamsMetadata instance : streams.metadataForAllStreamsClients()) {
            if (instance.hostInfo().equals(HostInfo.unavailable())) {
                continue;
            }
            InstanceAddress address = InstanceAddress.of(instance.hostInfo());
            if (!address.equals(self)) {
                peers.add(address);
            }
            partitions(instance.topicPartitions()).forEach(partition -> active.put(partition, address));
            partitions(instance.standbyTopicPartitions())
                    .forEach(partition -> standbys.computeIfAbsent(partition, any -> new HashSet<>())
                            .add(address));
        }
        return new Ownership(self, active, standbys, peers);
    }

    private Iterable<Integer> partitions(Set<TopicPartition> topicPartitions) {
        return topicPartitions.stream()
                .filter(each -> each.topic().equals(sourceTopic))
                .map(TopicPartition::partition)
                .toList();
    }
}
