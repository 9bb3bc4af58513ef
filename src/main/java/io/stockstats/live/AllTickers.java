package io.stockstats.live;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.InstanceAddress;
import io.stockstats.trade.Ticker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The latest window of every ticker of all instances, while somebody watches. It is learned from the stream of this
 * instance, from those of the others, and from snapshots, which make good what the streams missed: while an instance
 * was away, while a partition moved, or before a connection was there. Used by one thread.
 */
final class AllTickers {

    private static final Logger LOG = Logger.getLogger(AllTickers.class);

    private static final long LOOK_AT_PEERS_EVERY = TimeUnit.SECONDS.toNanos(1);
    private static final long SNAPSHOT_EVERY = TimeUnit.SECONDS.toNanos(60);

    /** How soon after one that failed or lacked partitions; twice as long after each further one, up to a limit. */
    private static final long SNAPSHOT_AGAIN_AFTER = TimeUnit.SECONDS.toNanos(2);

    private static final int MOST_DOUBLINGS = 4;

    /** After this long an answer does not come any more. */
    private static final long SNAPSHOT_LOST_AFTER = TimeUnit.SECONDS.toNanos(30);

    private final SnapshotSource snapshots;
    private final Peers peers;
    private final PeerDialer dialer;

    private final Map<Ticker, LiveEvent> latest = new HashMap<>();

    /** What other instances' streams brought since the last round. */
    private final Map<Ticker, WindowStats> remote = new ConcurrentHashMap<>();

    private final Map<InstanceAddress, PeerLink> links = new HashMap<>();
    private Peers.@Nullable View view;
    private long lookAt;
    private @Nullable Pending pending;
    private long snapshotAt;
    private int incomplete;

    AllTickers(SnapshotSource snapshots, Peers peers, PeerDialer dialer, long now) {
        this.snapshots = snapshots;
        this.peers = peers;
        this.dialer = dialer;
        this.lookAt = now;
        this.snapshotAt = now;
    }

    /** A snapshot that is being taken. */
    private static final class Pending {
        private final AtomicReference<@Nullable Snapshot> result = new AtomicReference<>();
        private final long round;
        private final long begun;
        private volatile boolean failed;
        /** Whether partitions have moved since it was begun. */
        private boolean outdated;

        Pending(long round, long begun) {
            this.round = round;
            this.begun = begun;
        }
    }

    /** Everything that is known; to be called after {@link #round}. */
    Map<Ticker, LiveEvent> all() {
        return Map.copyOf(latest);
    }

    /**
     * Learns what is new.
     *
     * @param local what this instance's stream brought
     * @param round this round's number, counting up
     * @param now {@link System#nanoTime}
     * @return what changed for those who watch
     */
    Map<Ticker, LiveEvent> round(Map<Ticker, LiveEvent> local, long round, long now) {
        Map<Ticker, LiveEvent> changed = new HashMap<>();
        local.values().forEach(event -> {
            if (isNews(event.window())) {
                learn(event, changed);
            }
        });
        LatestInbox.drain(remote).values().forEach(window -> learn(window, round, changed));
        takeSnapshot(round, now, changed);
        if (now - lookAt >= 0) {
            lookAt = now + LOOK_AT_PEERS_EVERY;
            lookAtPeers(now);
        }
        links.values().forEach(link -> link.round(now));
        if (pending == null && now - snapshotAt >= 0) {
            begin(round, now);
        }
        return changed;
    }

    private void learn(WindowStats window, long round, Map<Ticker, LiveEvent> changed) {
        if (isNews(window)) {
            learn(new LiveEvent(window, round), changed);
        }
    }

    private boolean isNews(WindowStats window) {
        LiveEvent known = latest.get(window.ticker());
        return known == null || LiveEvent.supersedes(window, known.window());
    }

    private void learn(LiveEvent event, Map<Ticker, LiveEvent> changed) {
        latest.put(event.window().ticker(), event);
        changed.put(event.window().ticker(), event);
    }

    private void begin(long round, long now) {
        Pending begun = new Pending(round, now);
        CompletionStage<Snapshot> answer = snapshots.take();
        pending = begun;
        answer.whenComplete((snapshot, failure) -> {
            if (failure != null) {
                LOG.debugf(failure, "a snapshot for /stream failed");
                begun.failed = true;
            } else {
                begun.result.set(snapshot);
            }
        });
    }

    private void takeSnapshot(long round, long now, Map<Ticker, LiveEvent> changed) {
        Pending waiting = pending;
        if (waiting == null) {
            return;
        }
        Snapshot snapshot = waiting.result.get();
        if (snapshot == null && !waiting.failed && now - waiting.begun < SNAPSHOT_LOST_AFTER) {
            return;
        }
        pending = null;
        if (snapshot != null) {
            snapshot.windows().forEach(window -> learn(window, round, changed));
        }
        if (snapshot != null && snapshot.complete()) {
            forgetAllBut(snapshot, waiting.round);
            incomplete = 0;
            snapshotAt = now + SNAPSHOT_EVERY;
        } else {
            snapshotAt = now + (SNAPSHOT_AGAIN_AFTER << incomplete);
            incomplete = Math.min(incomplete + 1, MOST_DOUBLINGS);
        }
        if (waiting.outdated) {
            snapshotAt = now;
        }
    }

    /** Forgets tickers that are not there any more; the snapshot cannot know those that were learned after it began. */
    private void forgetAllBut(Snapshot snapshot, long begun) {
        Set<Ticker> there = new HashSet<>();
        snapshot.windows().forEach(window -> there.add(window.ticker()));
        latest.values()
                .removeIf(event ->
                        event.round() < begun && !there.contains(event.window().ticker()));
    }

    private void lookAtPeers(long now) {
        Peers.View seen = peers.now();
        if (seen.equals(view)) {
            return;
        }
        view = seen;
        links.entrySet().removeIf(link -> {
            boolean gone = !seen.addresses().contains(link.getKey());
            if (gone) {
                link.getValue().close();
            }
            return gone;
        });
        for (InstanceAddress address : seen.addresses()) {
            links.computeIfAbsent(address, peer -> new PeerLink(peer, dialer, this::receive, now));
        }
        snapshotAt = now;
        incomplete = 0;
        if (pending != null) {
            pending.outdated = true;
        }
    }

    /** By the connections' threads. */
    private void receive(WindowStats window) {
        remote.merge(window.ticker(), window, LiveEvent::newer);
    }

    void close() {
        links.values().forEach(PeerLink::close);
        links.clear();
    }
}
