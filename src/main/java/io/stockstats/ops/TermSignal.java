package io.stockstats.ops;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import io.stockstats.live.LiveHub;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;
import sun.misc.Signal;

/**
 * Makes SIGTERM an order instead of an accident: the process stops as it would by itself and exits with 0. Left to the
 * JVM it stops just as well but exits with 143, which orchestrators take for a failure.
 */
@Singleton
@IfBuildProfile("prod")
final class TermSignal {

    private static final Logger LOG = Logger.getLogger(TermSignal.class);

    private final LiveHub liveHub;
    private final StreamsLifecycle lifecycle;

    TermSignal(LiveHub liveHub, StreamsLifecycle lifecycle) {
        this.liveHub = liveHub;
        this.lifecycle = lifecycle;
    }

    @SuppressWarnings("sunapi") // there is no other way to be told of a signal
    void listen(@Observes StartupEvent event) {
        try {
            Signal.handle(new Signal("TERM"), signal -> {
                // Streams of events would be waited for.
                liveHub.close();
                // While HTTP still takes requests: they are answered by the other instances.
                lifecycle.close();
                Quarkus.asyncExit(0);
            });
        } catch (IllegalArgumentException e) {
            // With -Xrs the signal is the operating system's.
            LOG.debug("SIGTERM cannot be handled", e);
        }
    }
}
