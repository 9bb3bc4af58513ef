package io.stockstats.query;

import java.time.Duration;
import java.util.function.LongSupplier;

/** When a query must have been answered. Those who wait get half of what is left each, so that the next can still try. */
final class Deadline {

    private final LongSupplier nanoTime;
    private final long end;
    private final long half;

    /** @param nanoTime as {@link System#nanoTime} */
    Deadline(LongSupplier nanoTime, Duration within) {
        this.nanoTime = nanoTime;
        this.end = nanoTime.getAsLong() + within.toNanos();
        this.half = within.toNanos() / 2;
    }

    Duration share() {
        return Duration.ofNanos(Math.max(0, left() / 2));
    }

    /** Whether it is early enough to pause that long and then try anew: in the first half of the time. */
    boolean allows(Duration pause) {
        return left() - pause.toNanos() > half;
    }

    boolean isOver() {
        return left() <= 0;
    }

    private long left() {
        return end - nanoTime.getAsLong();
    }
}
