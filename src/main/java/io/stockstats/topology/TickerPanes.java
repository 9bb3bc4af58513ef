package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * One ticker's panes that windows which are not final are made of. They are copies of what the store holds, so that
 * neither a trade nor an emission has to read it.
 */
final class TickerPanes {

    private final Ticker ticker;
    private final NavigableMap<Long, PaneStats> panes = new TreeMap<>();
    private final TreeSet<Long> changed = new TreeSet<>();

    /** From here on every pane of the store is among {@link #panes}. */
    private long completeFrom;

    /** No pane in the store starts before this. */
    private long oldest;

    TickerPanes(Ticker ticker, long completeFrom, long oldest) {
        this.ticker = ticker;
        this.completeFrom = completeFrom;
        this.oldest = oldest;
    }

    Ticker ticker() {
        return ticker;
    }

    long completeFrom() {
        return completeFrom;
    }

    long oldest() {
        return oldest;
    }

    void oldest(long paneStart) {
        oldest = paneStart;
    }

    /** Takes over what the store holds from {@code paneStart} up to where this was complete already. */
    void completeFrom(long paneStart, NavigableMap<Long, PaneStats> stored) {
        panes.putAll(stored);
        completeFrom = paneStart;
    }

    /** Counts the trade in its pane, and returns the pane for the store. */
    PaneStats add(Trade trade, long arrival, long paneStart) {
        PaneStats before = panes.get(paneStart);
        PaneStats after = before == null ? PaneStats.of(trade, arrival) : before.plus(trade, arrival);
        panes.put(paneStart, after);
        changed.add(paneStart);
        oldest = Math.min(oldest, paneStart);
        return after;
    }

    void markAllChanged() {
        changed.addAll(panes.keySet());
    }

    boolean isEmpty() {
        return panes.isEmpty();
    }

    long newest() {
        return panes.lastKey();
    }

    /** Hands out each window that changed since the last call and is not final at {@code time}, by start. */
    void drainChanged(WindowRules rules, long time, BiConsumer<Window, PaneStats> out) {
        // A window that begins before has panes that are only in the store; it waits until its trades are read again.
        long next = completeFrom;
        for (long pane : changed) {
            for (long start = Math.max(next, rules.earliestWindowStart(pane));
                    start <= pane;
                    start += rules.advance()) {
                Window window = Window.startingAt(start, rules.size());
                if (!rules.isFinal(window.end(), time)) {
                    out.accept(window, merged(window));
                }
            }
            next = pane + rules.advance();
        }
        changed.clear();
    }

    /** Hands out each window that is final at {@code now} and was not at {@code before}, by start. */
    void forEachFinalSince(long before, long now, WindowRules rules, BiConsumer<Window, PaneStats> out) {
        long next = completeFrom;
        for (long pane : panes.keySet()) {
            for (long start = Math.max(next, rules.earliestWindowStart(pane));
                    start <= pane;
                    start += rules.advance()) {
                Window window = Window.startingAt(start, rules.size());
                if (!rules.isFinal(window.end(), now)) {
                    return;
                }
                if (!rules.isFinal(window.end(), before)) {
                    out.accept(window, merged(window));
                }
            }
            next = pane + rules.advance();
        }
    }

    /** Forgets panes that no window holds which is not final at {@code time}. */
    void forgetFinal(WindowRules rules, long time) {
        while (!panes.isEmpty()) {
            long pane = panes.firstKey();
            if (!rules.isFinal(pane + rules.size(), time)) {
                return;
            }
            panes.remove(pane);
            changed.remove(pane);
            completeFrom = Math.max(completeFrom, pane + rules.advance());
        }
    }

    /** The panes that the window covers, merged; at least one must be there, and all from its start be complete. */
    PaneStats merged(Window window) {
        return panes.subMap(window.start(), window.end()).values().stream()
                .reduce(PaneStats::merge)
                .orElseThrow();
    }
}
