package io.stockstats.store;

import java.util.OptionalLong;

/**
 * What one partition's panes say, and which copy of them it was that spoke.
 *
 * @param partition the partition
 * @param active whether the partition is processed where it was asked; if not, the panes are a copy that follows
 * @param lag how many changelog records the copy was behind when last looked; empty when unknown, 0 when active
 * @param said the answer
 */
public record Copy<T>(int partition, boolean active, OptionalLong lag, T said) {

    /** Of the instance that processes the partition. */
    public static <T> Copy<T> active(int partition, T said) {
        return new Copy<>(partition, true, OptionalLong.of(0), said);
    }

    /** Of a standby, or of an instance that is still restoring. */
    public static <T> Copy<T> following(int partition, OptionalLong lag, T said) {
        return new Copy<>(partition, false, lag, said);
    }

    /** Whether this one is to be believed rather than {@code other}. */
    public boolean isBetterThan(Copy<?> other) {
        return active != other.active ? active : lag.orElse(Long.MAX_VALUE) < other.lag.orElse(Long.MAX_VALUE);
    }
}
