package io.stockstats.topology;

import io.stockstats.stats.Ranking;

/**
 * How top lists are made.
 *
 * @param topic where they are written
 * @param ranking the order of tickers
 * @param n how many a list has at most
 * @param window how long each window is, milliseconds; windows are aligned to the epoch and do not overlap
 */
public record TopSettings(String topic, Ranking ranking, int n, long window) {

    /** The start of the window that this time lies in. */
    long startOf(long time) {
        return Math.floorDiv(time, window) * window;
    }
}
