package io.stockstats.generate;

/**
 * When the next trade is due: evenly, {@code rate} times a second. Hiccups shorter than {@link #LONGEST_DEBT_NANOS} are
 * made up for, so that the average holds; longer ones are not, so that an outage is not followed by a burst.
 *
 * <p>Times are those of {@link System#nanoTime()}. Not safe for use by several threads.
 */
final class Pace {

    static final long LONGEST_DEBT_NANOS = 250_000_000;

    private static final double NANOS_PER_SECOND = 1e9;
    // Waking up costs more than making a trade: at high rates, whatever fell due within this time is made in one go.
    private static final long SHORTEST_WAIT_NANOS = 1_000_000;

    private final double nanosPerTrade;
    private long origin;
    private long taken;

    /** Begins at {@code now}, when the first trade is due. */
    Pace(double rate, long now) {
        nanosPerTrade = NANOS_PER_SECOND / rate;
        origin = now;
    }

    /** How many nanoseconds to wait from {@code now} on; 0 when a trade is due. */
    long untilDue(long now) {
        long wait = dueAt() - now;
        if (wait <= 0) {
            return 0;
        }
        return nanosPerTrade < SHORTEST_WAIT_NANOS ? Math.max(wait, SHORTEST_WAIT_NANOS) : wait;
    }

    /** Takes the trade that is due at {@code now}. */
    void take(long now) {
        if (now - dueAt() > LONGEST_DEBT_NANOS) {
            origin = now;
            taken = 0;
        }
        taken++;
    }

    private long dueAt() {
        return origin + (long) (taken * nanosPerTrade);
    }
}
