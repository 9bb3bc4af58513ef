package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One window's tickers of one partition, while trades still come for it. */
final class OpenTopList {

    private final TopRule rule;
    private final Window window;
    private final Map<Ticker, Panes> tickers = new HashMap<>();
    private boolean changed;
    private @Nullable List<WindowStats> told;

    OpenTopList(TopRule rule, long start) {
        this.rule = rule;
        this.window = rule.startingAt(start);
    }

    long start() {
        return window.start();
    }

    /** Takes a pane's new state, which holds all of the pane's trades, the former ones too. */
    void put(Ticker ticker, long paneStart, PaneStats state) {
        tickers.computeIfAbsent(ticker, any -> new Panes()).put(paneStart, state);
        changed = true;
    }

    /** The list as it is now. */
    List<WindowStats> top() {
        return rule.first(tickers.entrySet().stream()
                .map(each -> new WindowStats(
                        each.getKey(), window, false, each.getValue().merged()))
                .toList());
    }

    /** Whether the list is another than the last that was told, which it then is. */
    boolean isNews(List<WindowStats> top) {
        boolean news = !top.equals(told);
        told = top;
        return news;
    }

    /** Whether a pane was put since the last call. */
    boolean drainChanged() {
        boolean was = changed;
        changed = false;
        return was;
    }

    /** One ticker's panes in the window. Most trades change the newest: what lies before it is merged once. */
    private static final class Panes {

        private final NavigableMap<Long, PaneStats> panes = new TreeMap<>();

        /** All but the newest, merged; null when there are none, or {@link #headKnown} is false. */
        private @Nullable PaneStats head;

        private boolean headKnown = true;

        void put(long start, PaneStats state) {
            if (!panes.isEmpty() && start > panes.lastKey()) {
                head = merged();
                headKnown = true;
            } else if (!panes.isEmpty() && start < panes.lastKey()) {
                headKnown = false;
            }
            panes.put(start, state);
        }

        PaneStats merged() {
            if (!headKnown) {
                head = null;
                for (PaneStats pane : panes.headMap(panes.lastKey()).values()) {
                    head = head == null ? pane : head.merge(pane);
                }
                headKnown = true;
            }
            PaneStats newest = panes.lastEntry().getValue();
            return head == null ? newest : head.merge(newest);
        }
    }
}
