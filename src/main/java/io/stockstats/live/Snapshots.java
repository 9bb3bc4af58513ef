package io.stockstats.live;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.query.Row;
import io.stockstats.query.StatsPage;
import io.stockstats.query.StatsQueries;
import io.stockstats.query.StatsQueries.Consistency;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.LocalPanes;
import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Reads snapshots page by page, so that no read is long. */
final class Snapshots {

    private static final int PER_PAGE = 1_000;

    private Snapshots() {}

    /** The latest window of {@code size} milliseconds of each ticker that {@code queries} reach. */
    static CompletionStage<Snapshot> everything(StatsQueries queries, long size) {
        return everythingAfter(Optional.empty(), new Snapshot(List.of(), true), queries, size);
    }

    private static CompletionStage<Snapshot> everythingAfter(
            Optional<Ticker> after, Snapshot before, StatsQueries queries, long size) {
        return queries.all(Collections.emptySortedSet(), after, PER_PAGE, size, Consistency.ANY)
                .thenCompose(answer -> answer.fold(
                        found -> {
                            StatsPage page = found.value();
                            Snapshot now = new Snapshot(
                                    Stream.concat(
                                                    before.windows().stream(),
                                                    page.stats().stream().map(Row::window))
                                            .toList(),
                                    before.complete()
                                            && page.missingPartitions().isEmpty()
                                            && found.stale().isEmpty());
                            return page.next().isPresent()
                                    ? everythingAfter(page.next(), now, queries, size)
                                    : CompletableFuture.completedFuture(now);
                        },
                        unknown -> CompletableFuture.completedFuture(new Snapshot(before.windows(), false)),
                        unavailable -> CompletableFuture.completedFuture(new Snapshot(before.windows(), false))));
    }

    /** The latest window of {@code size} milliseconds of each ticker in those of {@code partitions} that are processed here. */
    static Snapshot local(LocalPanes panes, int partitions, long size) {
        List<WindowStats> windows = new ArrayList<>();
        boolean complete = true;
        for (int partition = 0; partition < partitions; partition++) {
            Optional<Ticker> after = Optional.empty();
            do {
                Optional<Ticker> from = after;
                Optional<List<WindowStats>> page = panes.read(
                                partition, reader -> reader.latestOfAll(from, PER_PAGE, size))
                        .filter(Copy::active)
                        .map(Copy::said);
                windows.addAll(page.orElse(List.of()));
                complete &= page.isPresent();
                after = page.filter(some -> some.size() == PER_PAGE)
                        .map(some -> some.get(some.size() - 1).ticker());
            } while (after.isPresent());
        }
        return new Snapshot(windows, complete);
    }
}
