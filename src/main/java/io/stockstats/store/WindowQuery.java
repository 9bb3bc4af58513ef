package io.stockstats.store;

import java.util.Optional;

/**
 * Which of a ticker's windows are asked for.
 *
 * @param from the earliest start, milliseconds since the epoch; one minute before {@code to} when empty
 * @param to the first start no longer asked for; just after the ticker's newest trade when empty
 * @param size the windows' length in milliseconds
 * @param limit how many windows at most
 * @param descending whether the latest comes first
 */
public record WindowQuery(Optional<Long> from, Optional<Long> to, long size, int limit, boolean descending) {

    /** How much is asked for when {@code from} is not given. */
    public static final long DEFAULT_SPAN_MS = 60_000;
}
