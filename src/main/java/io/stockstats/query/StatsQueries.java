package io.stockstats.query;

import io.stockstats.query.Answer.Found;
import io.stockstats.query.Answer.Unavailable;
import io.stockstats.query.Answer.UnknownTicker;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PanesReader;
import io.stockstats.store.PartitionCount;
import io.stockstats.store.WindowPage;
import io.stockstats.store.WindowQuery;
import io.stockstats.topology.StatsTopology;
import io.stockstats.trade.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Answers about tickers from the partitions of this instance. */
public final class StatsQueries {

    private final LocalPanes panes;
    private final PartitionCount partitionCount;

    public StatsQueries(LocalPanes panes, PartitionCount partitionCount) {
        this.panes = panes;
        this.partitionCount = partitionCount;
    }

    /** The ticker's latest window of {@code size} milliseconds. */
    public Answer<WindowStats> latest(Ticker ticker, long size) {
        return ask(ticker, reader -> reader.latest(ticker, size));
    }

    /** The ticker's windows that {@code query} asks for. */
    public Answer<WindowPage> windows(Ticker ticker, WindowQuery query) {
        return ask(ticker, reader -> reader.windows(ticker, query));
    }

    /** Every ticker's latest window, or those of {@code only} when it is not empty, after {@code after}. */
    public Answer<StatsPage> all(SortedSet<Ticker> only, Optional<Ticker> after, int limit, long size) {
        int count = partitionCount.get();
        List<Integer> missing = new ArrayList<>();
        TreeMap<Ticker, WindowStats> found = new TreeMap<>();
        for (int partition = 0; partition < count; partition++) {
            Optional<List<WindowStats>> some = panes.read(
                    partition,
                    // One more than asked for tells whether there is a next page.
                    reader -> only.isEmpty()
                            ? reader.latestOfAll(after, limit + 1, size)
                            : latestOf(reader, only, after, size));
            if (some.isEmpty()) {
                missing.add(partition);
            }
            some.ifPresent(windows ->
                    windows.forEach(window -> found.merge(window.ticker(), window, (a, b) -> newer(a, b))));
        }
        if (missing.size() == count) {
            return new Unavailable<>(whyNot(count));
        }
        List<WindowStats> page = found.values().stream().limit(limit).toList();
        Optional<Ticker> next =
                found.size() > limit ? Optional.of(page.get(limit - 1).ticker()) : Optional.empty();
        return new Found<>(new StatsPage(page, next, List.copyOf(missing)));
    }

    private static List<WindowStats> latestOf(
            PanesReader reader, SortedSet<Ticker> only, Optional<Ticker> after, long size) {
        return only.stream()
                .filter(ticker -> after.isEmpty() || ticker.compareTo(after.get()) > 0)
                .flatMap(ticker -> reader.latest(ticker, size).stream())
                .toList();
    }

    /** A ticker lies in one partition; where its producers disagree, the one with the newest trade speaks. */
    private static WindowStats newer(WindowStats a, WindowStats b) {
        return a.stats().last().eventNanos() >= b.stats().last().eventNanos() ? a : b;
    }

    /**
     * Asks the partition that Kafka's own partitioner would have chosen, then the others, up to the first that knows the
     * ticker: which partition it lies in is its producers' choice.
     */
    private <T> Answer<T> ask(Ticker ticker, Function<PanesReader, Optional<T>> question) {
        int count = partitionCount.get();
        if (count == 0) {
            return new Unavailable<>(whyNot(count));
        }
        int hinted = StatsTopology.partitionOf(ticker.symbol().getBytes(StandardCharsets.UTF_8), count);
        boolean askedAll = true;
        for (int partition :
                IntStream.range(0, count).map(i -> (hinted + i) % count).toArray()) {
            Optional<Optional<T>> said = panes.read(partition, question);
            askedAll &= said.isPresent();
            if (said.isPresent() && said.get().isPresent()) {
                return new Found<>(said.get().get());
            }
        }
        return askedAll ? new UnknownTicker<>() : new Unavailable<>(whyNot(count));
    }

    private String whyNot(int count) {
        if (count == 0) {
            return "The trades topic has not been seen yet: the service is starting, or waits for its topics or its broker.";
        }
        return "Only " + panes.partitions(count).count() + " of " + count
                + " partitions can be read now: the service is starting, restoring its state, or rebalancing.";
    }
}
