package io.stockstats.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.store.CopyLags;
import io.stockstats.store.InstanceAddress;
import io.stockstats.store.InstanceStatus;
import io.stockstats.store.InstanceStatus.PartitionStatus;
import io.stockstats.store.Ownership;
import io.stockstats.store.RestoreProgress;
import io.stockstats.store.TradesLag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** How every instance is. */
public final class Instances {

    private static final String UNREACHABLE = "UNREACHABLE";

    private final String name;
    private final KafkaStreams streams;
    private final Supplier<Ownership> ownerships;
    private final TradesLag tradesLag;
    private final CopyLags copyLags;
    private final RestoreProgress restore;
    private final HttpPeers peers;
    private final ObjectMapper json;
    private final Duration timeout;

    /** What instances that do not answer now were called when they did. */
    private final Map<InstanceAddress, String> names = new ConcurrentHashMap<>();

    Instances(
            String name,
            KafkaStreams streams,
            Supplier<Ownership> ownerships,
            TradesLag tradesLag,
            CopyLags copyLags,
            RestoreProgress restore,
            HttpPeers peers,
            ObjectMapper json,
            Duration timeout) {
        this.name = name;
        this.streams = streams;
        this.ownerships = ownerships;
        this.tradesLag = tradesLag;
        this.copyLags = copyLags;
        this.restore = restore;
        this.peers = peers;
        this.json = json;
        this.timeout = timeout;
    }

    /** This instance. */
    public InstanceStatus here() {
        Ownership ownership = ownerships.get();
        Map<Integer, Long> trades = tradesLag.byPartition();
        return new InstanceStatus(
                name,
                streams.state().name(),
                activeOf(ownership.self(), ownership).stream()
                        .map(partition -> new PartitionStatus(partition, trades.get(partition)))
                        .toList(),
                standbyOf(ownership.self(), ownership).stream()
                        .map(partition -> new PartitionStatus(partition, orNull(copyLags.of(partition))))
                        .toList(),
                restore.sum());
    }

    /** All instances that the group has, by name; those that do not answer in time with what the group knows of them. */
    public CompletionStage<List<InstanceStatus>> all() {
        Ownership ownership = ownerships.get();
        List<CompletableFuture<InstanceStatus>> asked = new ArrayList<>();
        for (InstanceAddress peer : ownership.peers()) {
            asked.add(peers.describe(peer, timeout)
                    .thenApply(this::status)
                    .thenApply(status -> named(peer, status))
                    .exceptionally(failure -> unreachable(peer, ownership)));
        }
        asked.add(CompletableFuture.completedFuture(here()));
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> asked.stream()
                        .map(CompletableFuture::join)
                        .sorted(Comparator.comparing(
                                InstanceStatus::name, Comparator.nullsLast(Comparator.naturalOrder())))
                        .toList());
    }

    /**
     * The partitions whose copies could not take over yet: copies that are kept here, and copies of this instance's own
     * partitions that others keep. Of those who do not answer nothing is known, and nothing waited for.
     *
     * @param caughtUp the changelog records that a copy may be behind
     */
    public CompletionStage<List<Integer>> copiesBehind(long caughtUp) {
        return all().thenApply(instances -> {
            Ownership ownership = ownerships.get();
            List<Integer> mine = activeOf(ownership.self(), ownership);
            List<Integer> kept = standbyOf(ownership.self(), ownership);
            return instances.stream()
                    .filter(each -> !each.state().equals(UNREACHABLE))
                    .flatMap(each -> each.standby().stream())
                    .filter(copy -> copy.lag() == null || copy.lag() > caughtUp)
                    .map(PartitionStatus::partition)
                    .filter(partition -> mine.contains(partition) || kept.contains(partition))
                    .distinct()
                    .sorted()
                    .toList();
        });
    }

    private InstanceStatus named(InstanceAddress peer, InstanceStatus status) {
        if (status.name() != null) {
            names.put(peer, status.name());
        }
        return status;
    }

    private InstanceStatus status(String body) {
        try {
            return json.readValue(body, InstanceStatus.class);
        } catch (JsonProcessingException e) {
            throw new CompletionException(e);
        }
    }

    private InstanceStatus unreachable(InstanceAddress peer, Ownership ownership) {
        return new InstanceStatus(
                names.get(peer),
                UNREACHABLE,
                activeOf(peer, ownership).stream()
                        .map(partition -> new PartitionStatus(partition, null))
                        .toList(),
                standbyOf(peer, ownership).stream()
                        .map(partition -> new PartitionStatus(partition, null))
                        .toList(),
                null);
    }

    private static List<Integer> activeOf(InstanceAddress instance, Ownership ownership) {
        return ownership.active().entrySet().stream()
                .filter(each -> each.getValue().equals(instance))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static List<Integer> standbyOf(InstanceAddress instance, Ownership ownership) {
        return ownership.standbys().entrySet().stream()
                .filter(each -> each.getValue().contains(instance))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private static @Nullable Long orNull(OptionalLong lag) {
        return lag.isPresent() ? lag.getAsLong() : null;
    }
}
