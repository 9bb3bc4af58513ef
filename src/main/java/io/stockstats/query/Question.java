package io.stockstats.query;

import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.PanesReader;
import io.stockstats.store.WindowQuery;
import io.stockstats.trade.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;

/** What a partition can be asked, here or at another instance ({@link PeerFormat}). */
sealed interface Question {

    /** Asks one partition. */
    Slice of(PanesReader panes);

    /** A ticker's latest window of {@code size} milliseconds. */
    record Latest(Ticker ticker, long size) implements Question {
        @Override
        public Slice of(PanesReader panes) {
            Optional<WindowStats> latest = panes.latest(ticker, size);
            return new Slice(latest.isPresent(), latest.stream().toList(), OptionalLong.empty());
        }
    }

    /** Some of a ticker's windows; marked with the next page's beginning. */
    record Windows(Ticker ticker, WindowQuery query) implements Question {
        @Override
        public Slice of(PanesReader panes) {
            return panes.windows(ticker, query)
                    .map(page -> new Slice(
                            true,
                            page.windows(),
                            page.next().map(OptionalLong::of).orElseGet(OptionalLong::empty)))
                    .orElseGet(() -> new Slice(false, List.of(), OptionalLong.empty()));
        }
    }

    /** Every ticker's latest window after {@code after}, or of those of {@code only} when it is not empty. */
    record All(SortedSet<Ticker> only, Optional<Ticker> after, int limit, long size) implements Question {
        @Override
        public Slice of(PanesReader panes) {
            List<WindowStats> latest = only.isEmpty()
                    ? panes.latestOfAll(after, limit, size)
                    : only.stream()
                            .filter(ticker -> after.isEmpty() || ticker.compareTo(after.get()) > 0)
                            .flatMap(ticker -> panes.latest(ticker, size).stream())
                            .toList();
            return new Slice(true, latest, OptionalLong.empty());
        }
    }

    /** The first {@code n} tickers of one span. */
    record Top(Ranking ranking, int n, Window window) implements Question {
        @Override
        public Slice of(PanesReader panes) {
            return new Slice(true, panes.top(ranking, n, window), OptionalLong.empty());
        }
    }

    /** How far the partition is: marked with stream time, milliseconds since the epoch, once it has seen a trade. */
    record StreamTime() implements Question {
        @Override
        public Slice of(PanesReader panes) {
            return new Slice(true, List.of(), panes.streamTime());
        }
    }
}
