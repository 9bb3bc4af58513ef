package io.stockstats.stats;

/**
 * Where windows and panes lie, and when they are late, final and expired. All values are milliseconds.
 *
 * <p>A pane covers one advance; a window of {@code size} that starts at {@code s} is the panes that start at
 * {@code s, s + advance, …, s + size - advance}. With size 5,000 and advance 1,000 a trade at 12,345 lies in the pane
 * {@code [12000, 13000)} and in the windows that start at 8,000, 9,000, 10,000, 11,000 and 12,000.
 *
 * @param size a window's length, a multiple of {@code advance}
 * @param advance the distance of two windows' starts, and a pane's length
 * @param grace how long after a window's end its trades may still come, in stream time
 * @param retention how long after its end a window can be asked for, in stream time; also the largest window that can
 *     be asked for
 */
public record WindowRules(long size, long advance, long grace, long retention) {

    /** The stream time of a partition that has not seen a trade: earlier than any event time. */
    public static final long NO_STREAM_TIME = -1;

    public WindowRules {
        require(advance > 0, "advance must be at least 1 ms");
        require(size > 0 && size % advance == 0, "size must be a positive multiple of the advance");
        require(grace >= 0, "grace must not be negative");
        require(retention >= size + grace, "retention must be at least the size plus the grace");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }

    /** The start of the pane that a trade at {@code eventMillis} lies in. */
    public long paneStart(long eventMillis) {
        return Math.floorDiv(eventMillis, advance) * advance;
    }

    /** The start of the earliest window that holds the pane. */
    public long earliestWindowStart(long paneStart) {
        return paneStart - size + advance;
    }

    /** Whether a trade of this pane comes too late: the window that ends with the pane is final. */
    public boolean isLate(long paneStart, long streamTime) {
        return isFinal(paneStart + advance, streamTime);
    }

    /** Whether a window with this end cannot change any more. */
    public boolean isFinal(long windowEnd, long streamTime) {
        return windowEnd + grace <= streamTime;
    }

    /** Whether a window with this end is gone from every answer. */
    public boolean isExpired(long windowEnd, long streamTime) {
        return windowEnd + retention <= streamTime;
    }

    /**
     * Whether no window that may be asked for holds the pane. That is twice the retention after its start: the largest
     * window is as long as the retention, and it can be asked for until the retention after its end.
     */
    public boolean isPaneExpired(long paneStart, long streamTime) {
        return paneStart + 2 * retention <= streamTime;
    }

    /** Whether a window of this length can be asked for. */
    public boolean canAnswer(long windowSize) {
        return windowSize > 0 && windowSize <= retention && windowSize % advance == 0;
    }
}
