package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Reads tickers' latest windows as they stand. */
interface SnapshotSource {

    /** Begins to read; returns without waiting. */
    CompletionStage<Snapshot> take();

    /**
     * What was read.
     *
     * @param windows the latest windows, in any order
     * @param complete whether every ticker is among them, so that one that is not does not exist
     */
    record Snapshot(List<WindowStats> windows, boolean complete) {}
}
