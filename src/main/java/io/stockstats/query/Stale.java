package io.stockstats.query;

import java.util.OptionalLong;

/**
 * That an answer comes from a copy, since the instance that processes the partition does not answer.
 *
 * @param lag how many changelog records the copy was behind when last looked; empty when that is not known
 */
public record Stale(OptionalLong lag) {

    /** Of two copies, the one that is further behind. */
    Stale or(Stale other) {
        return lag.isEmpty() || other.lag.isEmpty()
                ? new Stale(OptionalLong.empty())
                : new Stale(OptionalLong.of(Math.max(lag.getAsLong(), other.lag.getAsLong())));
    }
}
