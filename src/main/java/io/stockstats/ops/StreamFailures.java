package io.stockstats.ops;

import io.quarkus.runtime.Quarkus;
import io.stockstats.topology.StateGeometryException;
import io.stockstats.wire.UnknownFormatException;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.jboss.logging.Logger;

/**
 * What happens when a stream thread dies. State that cannot be read ends the process, since no restart mends it and a
 * person must choose; so does another process of the same name. Anything else gets a new thread a few times, and then stops the client: liveness goes DOWN,
 * instead of an endless replacement of threads.
 */
@Singleton
final class StreamFailures implements StreamsUncaughtExceptionHandler {

    private static final Logger LOG = Logger.getLogger(StreamFailures.class);
    private static final int MOST_REPLACEMENTS = 3;
    private static final Duration WITHIN = Duration.ofMinutes(10);

    private final Clock clock;
    private final Runnable exit;
    private final Deque<Instant> replacements = new ArrayDeque<>();

    StreamFailures() {
        this(Clock.systemUTC(), () -> Quarkus.asyncExit(1));
    }

    StreamFailures(Clock clock, Runnable exit) {
        this.clock = clock;
        this.exit = exit;
    }

    @Override
    public synchronized StreamThreadExceptionResponse handle(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StateGeometryException || cause instanceof UnknownFormatException) {
                LOG.errorf("state refused: %s", cause.getMessage());
                exit.run();
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            }
            if (cause instanceof FencedInstanceIdException) {
                LOG.error(
                        "another process has taken this instance's place: it has the same stockstats.instance.name, which"
                                + " must be of one process only");
                exit.run();
                return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
            }
        }
        Instant now = clock.instant();
        while (!replacements.isEmpty() && replacements.getFirst().isBefore(now.minus(WITHIN))) {
            replacements.removeFirst();
        }
        if (replacements.size() == MOST_REPLACEMENTS) {
            LOG.errorf(
                    failure,
                    "a stream thread died, the %dth within %s: the stream stops, and liveness is DOWN",
                    MOST_REPLACEMENTS + 1,
                    WITHIN);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        }
        replacements.add(now);
        LOG.errorf(
                failure,
                "a stream thread died and is replaced (%d of %d within %s)",
                replacements.size(),
                MOST_REPLACEMENTS,
                WITHIN);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }
}
