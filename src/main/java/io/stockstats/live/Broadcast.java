package io.stockstats.live;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * From the first client to the last: hands what changed to every client, round by round. All that is held for clients
 * is held here, and goes with it. Rounds are one thread's; clients come by any.
 */
final class Broadcast {

    private static final Logger LOG = Logger.getLogger(Broadcast.class);
    private static final long BEAT_EVERY = TimeUnit.SECONDS.toNanos(2);

    private final LiveSources sources;
    private final Map<Ticker, WindowStats> inbox;
    private final Queue<LiveClient> newcomers = new ConcurrentLinkedQueue<>();
    private Rounds.@Nullable Running running;
    private volatile boolean ended;

    private final List<LiveClient> viewers = new ArrayList<>();
    private final List<LiveClient> instances = new ArrayList<>();

    /** Viewers that have not been told anything yet. */
    private final List<LiveClient> beginners = new ArrayList<>();

    private @Nullable AllTickers all;
    private long round;
    private long beatAt;
    private boolean failing;

    /** @param inbox where the stream leaves each ticker's newest window; drained by rounds */
    Broadcast(LiveSources sources, Map<Ticker, WindowStats> inbox) {
        this.sources = sources;
        this.inbox = inbox;
        this.beatAt = sources.nanoTime().getAsLong() + BEAT_EVERY;
    }

    /** Begins; the caller keeps {@link #end} from being called meanwhile. */
    void begin() {
        running = sources.rounds().begin(this::safely);
    }

    void add(LiveClient client) {
        newcomers.add(client);
    }

    /** The next round is the last, and only tidies up. */
    void end() {
        ended = true;
    }

    private void safely() {
        try {
            round();
            failing = false;
        } catch (RuntimeException e) {
            // Ten times a second is too often to say the same.
            LOG.log(
                    failing ? Logger.Level.DEBUG : Logger.Level.ERROR,
                    "a round of /stream failed; the next follows",
                    e);
            failing = true;
        }
    }

    private void round() {
        if (ended) {
            stop();
            return;
        }
        long now = sources.nanoTime().getAsLong();
        round++;
        viewers.removeIf(LiveClient::isClosed);
        instances.removeIf(LiveClient::isClosed);
        Map<Ticker, LiveEvent> local = new HashMap<>();
        LatestInbox.drain(inbox).forEach((ticker, window) -> local.put(ticker, new LiveEvent(window, round)));
        tellInstances(local);
        tellViewers(local, now);
        if (now - beatAt >= 0) {
            beatAt = now + BEAT_EVERY;
            viewers.forEach(LiveClient::beat);
            instances.forEach(LiveClient::beat);
        }
    }

    private void tellInstances(Map<Ticker, LiveEvent> local) {
        for (LiveClient instance : instances) {
            instance.offer(local);
        }
    }

    private void tellViewers(Map<Ticker, LiveEvent> local, long now) {
        for (LiveClient client = newcomers.poll(); client != null; client = newcomers.poll()) {
            if (client.kind() == LiveClient.Kind.VIEWER) {
                beginners.add(client);
            } else {
                instances.add(client);
                beginWithSnapshot(client);
            }
        }
        if (viewers.isEmpty() && beginners.isEmpty()) {
            forgetAll();
            return;
        }
        if (all == null) {
            all = new AllTickers(sources.everything(), sources.peers(), sources.dialer(), now);
        }
        Map<Ticker, LiveEvent> changed = all.round(local, round, now);
        viewers.forEach(viewer -> viewer.offer(changed));
        if (!beginners.isEmpty()) {
            Map<Ticker, LiveEvent> known = all.all();
            beginners.forEach(viewer -> viewer.offer(known));
            viewers.addAll(beginners);
            beginners.clear();
        }
    }

    private void beginWithSnapshot(LiveClient instance) {
        long begun = round;
        sources.local().take().whenComplete((snapshot, failure) -> {
            if (failure != null) {
                LOG.debugf(failure, "a snapshot for another instance failed");
            } else {
                instance.offer(events(snapshot, begun));
            }
        });
    }

    private static Map<Ticker, LiveEvent> events(Snapshot snapshot, long round) {
        Map<Ticker, LiveEvent> events = new HashMap<>();
        for (WindowStats window : snapshot.windows()) {
            events.merge(window.ticker(), new LiveEvent(window, round), LiveEvent::newer);
        }
        return events;
    }

    private void forgetAll() {
        if (all != null) {
            all.close();
            all = null;
        }
    }

    private void stop() {
        forgetAll();
        if (running != null) {
            running.stop();
        }
    }
}
