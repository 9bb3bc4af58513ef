package io.stockstats.query;

import io.stockstats.store.Copy;
import io.stockstats.store.InstanceAddress;
import io.stockstats.store.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Collects what partitions say, wherever they are. Each partition's owner is asked first. Of those that stay without an
 * answer every instance is asked, for the owner may be another by now, or somebody may have a copy.
 */
final class Gathering {

    /** What this instance itself says. */
    interface Here {
        Optional<Copy<Slice>> ask(int partition, Question question);
    }

    private final Supplier<Ownership> ownerships;
    private final Here here;
    private final Peers peers;
    private final Executor executor;
    private final Predicate<Copy<Slice>> acceptable;

    /**
     * @param executor where panes are read that are asked for when an answer of a peer has come, or has not
     * @param acceptable which copies may be told from
     */
    Gathering(
            Supplier<Ownership> ownerships,
            Here here,
            Peers peers,
            Executor executor,
            Predicate<Copy<Slice>> acceptable) {
        this.ownerships = ownerships;
        this.here = here;
        this.peers = peers;
        this.executor = executor;
        this.acceptable = acceptable;
    }

    /**
     * Asks some partitions.
     *
     * @param enough ends the search as soon as one partition says this
     * @return the best copy of each partition that can be reached in time; never fails
     */
    CompletableFuture<Map<Integer, Copy<Slice>>> ask(
            Question question, Collection<Integer> partitions, Deadline deadline, Predicate<Slice> enough) {
        Ownership ownership = ownerships.get();
        Map<InstanceAddress, List<Integer>> byOwner = new HashMap<>();
        for (int partition : partitions) {
            // A partition that nobody owns, as far as is known here, may be this instance's own by now.
            byOwner.computeIfAbsent(
                            ownership.active().getOrDefault(partition, ownership.self()), any -> new ArrayList<>())
                    .add(partition);
        }
        Answers answers = new Answers(enough);
        return answers.collect(question, byOwner, ownership.self(), deadline.share())
                .thenCompose(any -> {
                    Set<Integer> open = new HashSet<>(partitions);
                    open.removeIf(answers::isActive);
                    if (open.isEmpty() || answers.isEnough() || deadline.isOver()) {
                        return CompletableFuture.completedFuture(answers.best());
                    }
                    Map<InstanceAddress, List<Integer>> everyone = new HashMap<>();
                    Set<InstanceAddress> instances = new HashSet<>(ownership.peers());
                    instances.add(ownership.self());
                    for (InstanceAddress instance : instances) {
                        List<Integer> unasked = open.stream()
                                .filter(partition -> !byOwner.getOrDefault(instance, List.of())
                                        .contains(partition))
                                .toList();
                        if (!unasked.isEmpty()) {
                            everyone.put(instance, unasked);
                        }
                    }
                    return CompletableFuture.supplyAsync(
                                    () -> answers.collect(question, everyone, ownership.self(), deadline.share()),
                                    executor)
                            .thenCompose(Function.identity())
                            .thenApply(ignored -> answers.best());
                });
    }

    /** What has been said so far; several peers may be speaking at once. */
    private final class Answers {

        private final Predicate<Slice> enough;
        private final Map<Integer, Copy<Slice>> best = new HashMap<>();

        Answers(Predicate<Slice> enough) {
            this.enough = enough;
        }

        /** Asks all of them at once; done when all have answered, or one has said enough. */
        CompletableFuture<Void> collect(
                Question question, Map<InstanceAddress, List<Integer>> asked, InstanceAddress self, Duration within) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            List<CompletableFuture<Void>> open = new ArrayList<>();
            asked.forEach((instance, partitions) -> {
                if (!instance.equals(self)) {
                    open.add(peers.ask(instance, question, partitions, within).thenAccept(copies -> {
                        copies.forEach(this::add);
                        if (isEnough()) {
                            done.complete(null);
                        }
                    }));
                }
            });
            for (int partition : asked.getOrDefault(self, List.of())) {
                if (!isEnough()) {
                    here.ask(partition, question).ifPresent(this::add);
                }
            }
            if (isEnough()) {
                done.complete(null);
            }
            CompletableFuture.allOf(open.toArray(CompletableFuture[]::new)).thenAccept(done::complete);
            return done;
        }

        private synchronized void add(Copy<Slice> copy) {
            if (acceptable.test(copy)) {
                best.merge(copy.partition(), copy, (a, b) -> b.isBetterThan(a) ? b : a);
            }
        }

        synchronized boolean isActive(int partition) {
            Copy<Slice> copy = best.get(partition);
            return copy != null && copy.active();
        }

        synchronized boolean isEnough() {
            return best.values().stream().anyMatch(copy -> copy.active() && enough.test(copy.said()));
        }

        synchronized Map<Integer, Copy<Slice>> best() {
            return Map.copyOf(best);
        }
    }
}
