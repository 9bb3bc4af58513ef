package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import io.stockstats.topology.LatestWindows;
import io.stockstats.trade.Ticker;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where the stream's threads leave what changed, and all that they have to do with clients: of each ticker the newest
 * waits here until it is fetched. While the inbox is closed nothing is wanted and nothing is held.
 */
public final class LatestInbox implements LatestWindows {

    private volatile @Nullable Map<Ticker, WindowStats> waiting;

    @Override
    public boolean wanted() {
        return waiting != null;
    }

    @Override
    public void changed(WindowStats latest) {
        Map<Ticker, WindowStats> open = waiting;
        if (open != null) {
            open.merge(latest.ticker(), latest, LiveEvent::newer);
        }
    }

    /** Opens it anew: what is handed over from now on waits in the map that is returned, which is to be drained. */
    Map<Ticker, WindowStats> open() {
        Map<Ticker, WindowStats> opened = new ConcurrentHashMap<>();
        waiting = opened;
        return opened;
    }

    void close() {
        waiting = null;
    }

    /** Empties a map that others go on to write to. */
    static Map<Ticker, WindowStats> drain(Map<Ticker, WindowStats> shared) {
        Map<Ticker, WindowStats> drained = new HashMap<>();
        for (Ticker ticker : shared.keySet()) {
            WindowStats newest = shared.remove(ticker);
            if (newest != null) {
                drained.put(ticker, newest);
            }
        }
        return drained;
    }
}
