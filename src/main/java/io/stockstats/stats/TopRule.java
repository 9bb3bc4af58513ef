package io.stockstats.stats;

import java.util.Collection;
import java.util.List;

/**
 * Which top lists there are: of each window that begins where the one before ends, the first {@code n} tickers by one
 * figure. Windows are aligned to the epoch: with a length of 10,000 a trade at 12,345 counts in {@code [10000, 20000)}
 * only.
 *
 * @param ranking the order
 * @param n how many tickers, at least 1
 * @param window a window's length, in milliseconds, at least 1
 */
public record TopRule(Ranking ranking, int n, long window) {

    public TopRule {
        if (n < 1 || window < 1) {
            throw new IllegalArgumentException("a top list has at least one place, and a length: " + n + ", " + window);
        }
    }

    /** The start of the window that holds this time; both in milliseconds since the epoch. */
    public long startOf(long eventMillis) {
        return Math.floorDiv(eventMillis, window) * window;
    }

    /** The window that starts here. */
    public Window startingAt(long start) {
        return Window.startingAt(start, window);
    }

    /** The list: the first {@code n} of those that have the figure, in order. */
    public List<WindowStats> first(Collection<WindowStats> windows) {
        return ranking.first(n, windows);
    }
}
