package io.stockstats.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;

/**
 * An order of windows by one figure; equal figures by ticker. It orders windows of the same span, of one per ticker.
 *
 * @param by the figure
 * @param descending whether the highest comes first
 */
public record Ranking(By by, boolean descending) implements Comparator<WindowStats> {

    /** The figures that windows can be ordered by. */
    public enum By {
        VOLUME("volume", stats -> stats.volume().hi()),
        MIN_PRICE("minPrice", PaneStats::min),
        MAX_PRICE("maxPrice", PaneStats::max),
        AVG_PRICE("avgPrice", PaneStats::average),
        VWAP("vwap", PaneStats::vwap),
        TURNOVER("turnover", stats -> stats.turnover().hi()),
        COUNT_TRADES("countTrades", PaneStats::count),
        /** (close − open) / open × 100. */
        CHANGE_PERCENT(
                "changePercent",
                stats -> (stats.last().price() - stats.first().price())
                        / stats.first().price()
                        * 100);

        private final String label;
        private final ToDoubleFunction<PaneStats> figure;

        By(String label, ToDoubleFunction<PaneStats> figure) {
            this.label = label;
            this.figure = figure;
        }

        /** The figure's name in requests and answers. */
        public String label() {
            return label;
        }
    }

    /** Whether the window has the figure: there is no vwap without volume. */
    public boolean ranks(WindowStats window) {
        return by != By.VWAP || window.stats().hasVolume();
    }

    @Override
    public int compare(WindowStats a, WindowStats b) {
        int order = Double.compare(by.figure.applyAsDouble(a.stats()), by.figure.applyAsDouble(b.stats()));
        return order == 0 ? a.ticker().compareTo(b.ticker()) : descending ? -order : order;
    }

    /** The first {@code n} of those that have the figure, in order. */
    public List<WindowStats> first(int n, Collection<WindowStats> windows) {
        PriorityQueue<WindowStats> kept = new PriorityQueue<>(n + 1, reversed());
        for (WindowStats window : windows) {
            if (ranks(window)) {
                kept.add(window);
                if (kept.size() > n) {
                    kept.remove();
                }
            }
        }
        List<WindowStats> first = new ArrayList<>(kept);
        first.sort(this);
        return first;
    }
}
