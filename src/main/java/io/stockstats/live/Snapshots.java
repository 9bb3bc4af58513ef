package io.stockstats.live;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.query.Answer;
import io.stockstats.query.Row;
import io.stockstats.query.StatsPage;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.LocalPanes;
import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Reads snapshots page by page, so that no read is long. */
final class Snapshots {

    static final int PER_PAGE = 1_000;

    private Snapshots() {}

    /** A page of all tickers' latest windows, after a ticker or from the first. */
    interface Pages {
        CompletionStage<Answer<StatsPage>> after(Optional<Ticker> ticker);
    }

    /** What all pages hold; complete unless partitions were missing or only copies of them answered. */
    static CompletionStage<Snapshot> everything(Pages pages) {
        return andAllAfter(Optional.empty(), new Snapshot(List.of(), true), pages);
    }

    private static CompletionStage<Snapshot> andAllAfter(Optional<Ticker> ticker, Snapshot before, Pages pages) {
        return pages.after(ticker)
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
                                    ? andAllAfter(page.next(), now, pages)
                                    : CompletableFuture.completedFuture(now);
                        },
                        unknown -> CompletableFuture.completedFuture(new Snapshot(before.windows(), false)),
                        unavailable -> CompletableFuture.completedFuture(new Snapshot(before.windows(), false))));
    }

    /** The latest window of {@code size} milliseconds of each ticker in those of {@code partitions} that are processed here. */
    static Snapshot local(LocalPanes panes, int partitions, long size) {
        List<WindowStats> windows = new ArrayList<>();
        boolean complete = true;
        for (int partition :
                IntStream.range(0, partitions).filter(panes::processes).toArray()) {
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
