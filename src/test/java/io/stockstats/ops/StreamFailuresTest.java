package io.stockstats.ops;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.topology.AdvanceableClock;
import io.stockstats.topology.StateGeometryException;
import io.stockstats.wire.UnknownFormatException;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.errors.StreamsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamFailuresTest {

    private static final Throwable FAILURE = new StreamsException("for the test");

    private final AdvanceableClock clock = new AdvanceableClock(Instant.parse("2026-11-30T14:30:00Z"));
    private int exits;
    private final StreamFailures failures = new StreamFailures(clock, () -> exits++);

    @Test
    void three_threads_are_replaced_and_the_fourth_within_ten_minutes_stops_the_stream() {
        assertEquals(REPLACE_THREAD, failures.handle(FAILURE));
        assertEquals(REPLACE_THREAD, failures.handle(FAILURE));
        assertEquals(REPLACE_THREAD, failures.handle(FAILURE));
        clock.advance(Duration.ofMinutes(10));

        assertEquals(SHUTDOWN_CLIENT, failures.handle(FAILURE));
        assertEquals(0, exits, "the process stays, so that liveness can say so");
    }

    @Test
    void a_failure_longer_ago_than_ten_minutes_no_longer_counts() {
        failures.handle(FAILURE);
        clock.advance(Duration.ofMinutes(5));
        failures.handle(FAILURE);
        failures.handle(FAILURE);
        clock.advance(Duration.ofMinutes(5).plusMillis(1));

        assertEquals(REPLACE_THREAD, failures.handle(FAILURE), "the first has been forgotten");
        assertEquals(SHUTDOWN_CLIENT, failures.handle(FAILURE), "the other two have not");
    }

    @Test
    void one_failure_in_four_minutes_can_go_on_for_ever() {
        for (int i = 0; i < 10; i++) {
            assertEquals(REPLACE_THREAD, failures.handle(FAILURE));
            clock.advance(Duration.ofMinutes(4));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {StateGeometryException.class, UnknownFormatException.class})
    void state_that_cannot_be_read_ends_the_process_at_once_however_deep_the_cause_lies(
            Class<? extends RuntimeException> type) throws ReflectiveOperationException {
        Constructor<? extends RuntimeException> constructor = type.getDeclaredConstructor(String.class);
        constructor.setAccessible(true);
        RuntimeException refusal = constructor.newInstance("for the test");

        assertEquals(SHUTDOWN_CLIENT, failures.handle(new StreamsException(new RuntimeException(refusal))));

        assertEquals(1, exits);
    }

    @Test
    void another_process_of_the_same_name_ends_this_one() {
        assertEquals(
                SHUTDOWN_CLIENT, failures.handle(new StreamsException(new FencedInstanceIdException("for the test"))));

        assertEquals(1, exits);
    }
}
