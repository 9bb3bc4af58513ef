package io.stockstats.wire;

/** The unit of a trade's timestamp when that is an integer: what has passed since the epoch. */
public enum TimestampUnit {
    /** Seconds. */
    S(1_000_000_000),
    /** Milliseconds. */
    MS(1_000_000),
    /** Microseconds. */
    US(1_000),
    /** Nanoseconds. */
    NS(1);

    private final long nanos;

    TimestampUnit(long nanos) {
        this.nanos = nanos;
    }

    /** So many of this unit in nanoseconds; {@link Long#MIN_VALUE} or {@link Long#MAX_VALUE} when that is too far. */
    public long toNanos(long count) {
        long most = Long.MAX_VALUE / nanos;
        if (count > most) {
            return Long.MAX_VALUE;
        }
        return count < -most ? Long.MIN_VALUE : count * nanos;
    }
}
