package io.stockstats.wire;

import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import java.util.List;

/**
 * The top list of one window, as it is written.
 *
 * @param window the span of event time
 * @param ranking the order
 * @param top the first tickers' windows, in order; all final when the list is complete, else none
 * @param complete whether every partition has passed the window's end plus the grace, so that nothing can change
 */
public record TopList(Window window, Ranking ranking, List<WindowStats> top, boolean complete) {

    /** The newest trade's event time among those listed, in milliseconds; the window's start when there are none. */
    public long newestTrade() {
        return top.stream()
                .mapToLong(each -> each.stats().last().eventMillis())
                .max()
                .orElse(window.start());
    }
}
