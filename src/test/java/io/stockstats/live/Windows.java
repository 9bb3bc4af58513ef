package io.stockstats.live;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;

/** Windows to send around. */
final class Windows {

    static final Ticker AAA = new Ticker("AAA");
    static final Ticker BBB = new Ticker("BBB");

    private Windows() {}

    /** A window that ends then, in seconds, and has so many trades. */
    static WindowStats window(Ticker ticker, long endSeconds, int count) {
        PaneStats stats = PaneStats.of(trade(ticker), 0);
        for (int i = 1; i < count; i++) {
            stats = stats.plus(trade(ticker), i);
        }
        return new WindowStats(ticker, Window.endingAt(endSeconds * 1_000, 5_000), false, stats);
    }

    static WindowStats finalWindow(Ticker ticker, long endSeconds, int count) {
        WindowStats open = window(ticker, endSeconds, count);
        return new WindowStats(open.ticker(), open.window(), true, open.stats());
    }

    private static Trade trade(Ticker ticker) {
        return new Trade(ticker, 5, 1, null, 1_000_000);
    }
}
