package io.stockstats.wire;

import java.util.concurrent.TimeUnit;

/** The unit of a trade's timestamp when that is an integer: what has passed since the epoch. */
public enum TimestampUnit {
    /** Seconds. */
    S(TimeUnit.SECONDS),
    /** Milliseconds. */
    MS(TimeUnit.MILLISECONDS),
    /** Microseconds. */
    US(TimeUnit.MICROSECONDS),
    /** Nanoseconds. */
    NS(TimeUnit.NANOSECONDS);

    private final TimeUnit unit;

    TimestampUnit(TimeUnit unit) {
        this.unit = unit;
    }

    /** So many of this unit in nanoseconds; {@link Long#MIN_VALUE} or {@link Long#MAX_VALUE} when that is too far. */
    public long toNanos(long count) {
        return unit.toNanos(count);
    }
}
