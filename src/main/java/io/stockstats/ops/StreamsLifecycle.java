package io.stockstats.ops;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.stockstats.store.RestoreProgress;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.apache.kafka.streams.KafkaStreams;
import org.jboss.logging.Logger;

/** Closes the stream in bounded time, before Quarkus does so without a bound. */
@Singleton
final class StreamsLifecycle {

    private static final Logger LOG = Logger.getLogger(StreamsLifecycle.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(15);

    @Produces
    @Singleton
    RestoreProgress restoreProgress() {
        return new RestoreProgress(System::nanoTime);
    }

    void stop(@Observes @Priority(1) ShutdownEvent event, KafkaStreams streams) {
        long begun = System.nanoTime();
        boolean closed = streams.close(LONGEST_CLOSE);
        long ms = (System.nanoTime() - begun) / 1_000_000;
        if (closed) {
            LOG.infof("stream closed in %d ms", ms);
        } else {
            LOG.warnf(
                    "stream did not close within %s: its threads end with the process, and the next start restores"
                            + " what was not checkpointed",
                    LONGEST_CLOSE);
            if (LaunchMode.current() == LaunchMode.NORMAL) {
                // Quarkus would close it once more, without a bound; and while the broker is away a producer waits for
                // ever to send what it has. To the state this is no worse than the kill that would follow.
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
