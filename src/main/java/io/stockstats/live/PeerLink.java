package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import io.stockstats.store.InstanceAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keeps a connection to one other instance, and makes a new one when it ends. */
final class PeerLink {

    private static final Logger LOG = Logger.getLogger(PeerLink.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int MOST_DOUBLINGS = 4;

    private final InstanceAddress peer;
    private final PeerDialer dialer;
    private final Consumer<WindowStats> out;

    private @Nullable Attempt attempt;
    private int failures;
    private long dialAt;

    PeerLink(InstanceAddress peer, PeerDialer dialer, Consumer<WindowStats> out, long now) {
        this.peer = peer;
        this.dialer = dialer;
        this.out = out;
        this.dialAt = now;
    }

    /** Connects if there is no connection and it is time to: after a quarter of a second at first, 4 s in the end. */
    void round(long now) {
        Attempt current = attempt;
        if (current != null && current.ended) {
            failures = current.heard ? 0 : Math.min(failures + 1, MOST_DOUBLINGS);
            dialAt = now + (FIRST_PAUSE << failures);
            attempt = null;
            LOG.debugf("stream of instance %s ended; heard=%s", peer, current.heard);
        }
        if (attempt == null && now - dialAt >= 0) {
            Attempt next = new Attempt();
            attempt = next;
            next.connection = dialer.dial(peer, next);
        }
    }

    void close() {
        if (attempt != null && attempt.connection != null) {
            attempt.connection.close();
        }
        attempt = null;
    }

    private final class Attempt implements PeerDialer.Listener {
        private volatile boolean heard;
        private volatile boolean ended;
        private PeerDialer.@Nullable Connection connection;

        @Override
        public void window(WindowStats window) {
            heard = true;
            out.accept(window);
        }

        @Override
        public void heartbeat() {
            heard = true;
        }

        @Override
        public void ended() {
            ended = true;
        }
    }
}
