package io.stockstats.live;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.query.StatsPage;
import io.stockstats.query.StatsQueries;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.LocalPanes;
import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads snapshots page by page, so that no read is long. */
final class Snapshots {

    private static final int PER_PAGE = 1_000;

    private Snapshots() {}

    /** The latest window of {@code size} milliseconds of each ticker that {@code queries} reach. */
    static Snapshot everything(StatsQueries queries, long size) {
        List<WindowStats> windows = new ArrayList<>();
        boolean complete = true;
        Optional<Ticker> after = Optional.empty();
        do {
            Optional<StatsPage> page = queries.all(Collections.emptySortedSet(), after, PER_PAGE, size)
                    .fold(Optional::of, unknown -> Optional.empty(), unavailable -> Optional.empty());
            if (page.isEmpty()) {
                return new Snapshot(windows, false);
            }
            windows.addAll(page.get().stats());
            complete &= page.get().missingPartitions().isEmpty();
            after = page.get().next();
        } while (after.isPresent());
        return new Snapshot(windows, complete);
    }

    /** The latest window of {@code size} milliseconds of each ticker in those of {@code partitions} that are here. */
    static Snapshot local(LocalPanes panes, int partitions, long size) {
        List<WindowStats> windows = new ArrayList<>();
        boolean complete = true;
        for (int partition : panes.partitions(partitions).toArray()) {
            Optional<Ticker> after = Optional.empty();
            do {
                Optional<Ticker> from = after;
                Optional<List<WindowStats>> page =
                        panes.read(partition, reader -> reader.latestOfAll(from, PER_PAGE, size));
                windows.addAll(page.orElse(List.of()));
                complete &= page.isPresent();
                after = page.filter(some -> some.size() == PER_PAGE)
                        .map(some -> some.get(some.size() - 1).ticker());
            } while (after.isPresent());
        }
        return new Snapshot(windows, complete);
    }
}
