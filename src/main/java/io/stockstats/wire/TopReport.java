package io.stockstats.wire;

import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowStats;
import java.util.List;
import java.util.function.Function;

/** What one partition tells whoever merges the top lists of all. */
public sealed interface TopReport {

    /** Which lists are spoken of; reports by another rule belong to another configuration. */
    TopRule rule();

    /** The partition that speaks. */
    int partition();

    /** Handles either kind. */
    <T> T fold(Function<Partial, T> partial, Function<Progress, T> progress);

    /**
     * The list of one window in which the partition has a trade, of the partition's own tickers.
     *
     * @param windowStart the window's start, in milliseconds since the epoch
     * @param closed whether the partition takes no more trades of the window, so that this is its last word on it
     * @param top the list; empty when no ticker has the figure
     */
    record Partial(TopRule rule, int partition, long windowStart, boolean closed, List<WindowStats> top)
            implements TopReport {
        @Override
        public <T> T fold(Function<Partial, T> partial, Function<Progress, T> progress) {
            return partial.apply(this);
        }
    }

    /**
     * How far the partition is: of every window that starts in {@code [from, to)} it takes no more trades, and its last
     * word was sent before this, or it has no trade in it.
     *
     * @param from the earliest window that the task could speak of, when it started
     * @param to the start of the earliest window that still takes trades; before {@code from} there is no news
     */
    record Progress(TopRule rule, int partition, long from, long to) implements TopReport {
        @Override
        public <T> T fold(Function<Partial, T> partial, Function<Progress, T> progress) {
            return progress.apply(this);
        }
    }
}
