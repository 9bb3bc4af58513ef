package io.stockstats.ops;

import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.ShutdownEvent;
import io.stockstats.store.RestoreProgress;
import io.stockstats.topology.InstanceConfig;
import io.stockstats.topology.StatsConfig;
import io.stockstats.topology.StatsConfig.LeaveOnStop;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.apache.kafka.streams.KafkaStreams;
import org.jboss.logging.Logger;

/**
 * Closes the stream in bounded time, before Quarkus does so without a bound. Meanwhile HTTP goes on: what was this
 * instance's is asked of the others.
 */
@Singleton
final class StreamsLifecycle {

    private static final Logger LOG = Logger.getLogger(StreamsLifecycle.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(15);

    private final KafkaStreams streams;
    private final boolean removeFromGroup;
    private boolean closed;

    StreamsLifecycle(KafkaStreams streams, InstanceConfig instance, StatsConfig stats) {
        this.streams = streams;
        // Who has no name leaves by itself (internal.leave.group.on.close); who has one must be removed.
        this.removeFromGroup = instance.name().isPresent()
                && stats.leaveOnStop().filter(LeaveOnStop.ALWAYS::equals).isPresent();
    }

    @Produces
    @Singleton
    static RestoreProgress restoreProgress() {
        return new RestoreProgress(System::nanoTime);
    }

    void stop(@Observes @Priority(1) ShutdownEvent event) {
        close();
    }

    /** Closes the stream, once. */
    synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        long begun = System.nanoTime();
        boolean inTime = streams.close(
                new KafkaStreams.CloseOptions().timeout(LONGEST_CLOSE).leaveGroup(removeFromGroup));
        long ms = (System.nanoTime() - begun) / 1_000_000;
        if (inTime) {
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
