package io.stockstats.stats;

/**
 * A span of event time, {@code [start, end)}, in milliseconds since the epoch.
 *
 * @param start the first millisecond inside
 * @param end the first millisecond after
 */
public record Window(long start, long end) {

    public Window {
        if (start >= end) {
            throw new IllegalArgumentException("a window must end after it starts: [" + start + ", " + end + ")");
        }
    }

    public static Window startingAt(long start, long size) {
        return new Window(start, start + size);
    }

    public static Window endingAt(long end, long size) {
        return new Window(end - size, end);
    }
}
