package io.stockstats.topology;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiConsumer;

/**
 * One ticker's panes that windows which are not final are made of, so that neither a trade nor an emission has to read
 * the store. What they hold is also in the store, but for panes that are to be written there yet.
 */
final class TickerPanes {

    private final Ticker ticker;

    /** By start; a trade mostly belongs to the last. */
    private final List<Pane> panes = new ArrayList<>();

    /** Whether any pane changed since the last emission. */
    private boolean changed;

    /** Whether any pane changed since it was written. */
    private boolean unwritten;

    /** From here on every pane of the store is among {@link #panes}. */
    private long completeFrom;

    /** No pane in the store, or to be written there, starts before this. */
    private long oldest;

    private static final class Pane {
        final long start;
        PaneStats stats;
        boolean changed;
        boolean unwritten;

        Pane(long start, PaneStats stats) {
            this.start = start;
            this.stats = stats;
        }
    }

    /** Receives a pane, or a window of the same length. */
    interface PaneTo {
        void accept(long paneStart, PaneStats pane);
    }

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

    boolean isChanged() {
        return changed;
    }

    boolean isUnwritten() {
        return unwritten;
    }

    boolean isEmpty() {
        return panes.isEmpty();
    }

    long newest() {
        return panes.get(panes.size() - 1).start;
    }

    /** Takes over what the store holds from {@code paneStart} up to where this was complete already. */
    void completeFrom(long paneStart, SortedMap<Long, PaneStats> stored) {
        List<Pane> earlier = new ArrayList<>(stored.size());
        stored.forEach((start, stats) -> earlier.add(new Pane(start, stats)));
        panes.addAll(0, earlier);
        completeFrom = paneStart;
    }

    /** Counts the trade in its pane, and returns the pane. */
    PaneStats add(Trade trade, long arrival, long paneStart) {
        int at = indexFrom(paneStart);
        Pane pane;
        if (at < panes.size() && panes.get(at).start == paneStart) {
            pane = panes.get(at);
            pane.stats = pane.stats.plus(trade, arrival);
        } else {
            pane = new Pane(paneStart, PaneStats.of(trade, arrival));
            panes.add(at, pane);
            oldest = Math.min(oldest, paneStart);
        }
        pane.changed = true;
        pane.unwritten = true;
        changed = true;
        unwritten = true;
        return pane.stats;
    }

    /** The index of the first pane that does not start before {@code paneStart}. */
    private int indexFrom(long paneStart) {
        int at = panes.size();
        while (at > 0 && panes.get(at - 1).start >= paneStart) {
            at--;
        }
        return at;
    }

    void markAllChanged() {
        panes.forEach(pane -> pane.changed = true);
        changed = true;
    }

    /** Hands out each pane that changed since it was last handed out here or by {@link #forgetFinal}; how many. */
    int drainUnwritten(PaneTo store) {
        int written = 0;
        for (int i = panes.size() - 1; i >= 0; i--) {
            written += write(panes.get(i), store);
        }
        unwritten = false;
        return written;
    }

    private static int write(Pane pane, PaneTo store) {
        if (!pane.unwritten) {
            return 0;
        }
        store.accept(pane.start, pane.stats);
        pane.unwritten = false;
        return 1;
    }

    /** Hands out each window that changed since the last call and is not final at {@code time}, by start; how many. */
    int drainChanged(WindowRules rules, long time, BiConsumer<Window, PaneStats> out) {
        // A window that begins before has panes that are only in the store; it waits until its trades are read again.
        long next = completeFrom;
        int first = 0;
        int handedOut = 0;
        for (int i = 0; i < panes.size(); i++) {
            Pane pane = panes.get(i);
            if (!pane.changed) {
                continue;
            }
            pane.changed = false;
            for (long start = Math.max(next, rules.earliestWindowStart(pane.start));
                    start <= pane.start;
                    start += rules.advance()) {
                Window window = Window.startingAt(start, rules.size());
                if (!rules.isFinal(window.end(), time)) {
                    first = skipTo(start, first);
                    out.accept(window, merged(first, window.end()));
                    handedOut++;
                }
            }
            next = pane.start + rules.advance();
        }
        changed = false;
        return handedOut;
    }

    /** Hands out each window that is final at {@code now} and was not at {@code before}, by start. */
    void forEachFinalSince(long before, long now, WindowRules rules, BiConsumer<Window, PaneStats> out) {
        long next = completeFrom;
        int first = 0;
        for (int i = 0; i < panes.size(); i++) {
            long pane = panes.get(i).start;
            for (long start = Math.max(next, rules.earliestWindowStart(pane));
                    start <= pane;
                    start += rules.advance()) {
                Window window = Window.startingAt(start, rules.size());
                if (!rules.isFinal(window.end(), now)) {
                    return;
                }
                if (!rules.isFinal(window.end(), before)) {
                    first = skipTo(start, first);
                    out.accept(window, merged(first, window.end()));
                }
            }
            next = pane + rules.advance();
        }
    }

    /** Forgets panes that no window holds which is not final at {@code time}, and hands out those not yet written. */
    void forgetFinal(WindowRules rules, long time, PaneTo store) {
        int forgotten = 0;
        while (forgotten < panes.size() && rules.isFinal(panes.get(forgotten).start + rules.size(), time)) {
            Pane pane = panes.get(forgotten);
            write(pane, store);
            completeFrom = Math.max(completeFrom, pane.start + rules.advance());
            forgotten++;
        }
        panes.subList(0, forgotten).clear();
    }

    /** The panes that the window covers, merged; at least one must be there, and all from its start be complete. */
    PaneStats merged(Window window) {
        return merged(indexFrom(window.start()), window.end());
    }

    /** The index of the first pane from {@code index} on that does not start before {@code start}. */
    private int skipTo(long start, int index) {
        int at = index;
        while (panes.get(at).start < start) {
            at++;
        }
        return at;
    }

    private PaneStats merged(int first, long end) {
        PaneStats stats = panes.get(first).stats;
        for (int i = first + 1; i < panes.size() && panes.get(i).start < end; i++) {
            stats = stats.merge(panes.get(i).stats);
        }
        return stats;
    }
}
