package io.stockstats.query;

import io.stockstats.query.Answer.Found;
import io.stockstats.query.Answer.Unavailable;
import io.stockstats.query.Answer.UnknownTicker;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.WindowPage;
import io.stockstats.store.WindowQuery;
import io.stockstats.topology.PartitionCount;
import io.stockstats.trade.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Answers about tickers, wherever their partitions are. What this instance has is read by the calling thread, which is
 * not held while others are waited for.
 */
public final class StatsQueries {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    private final PartitionCount partitionCount;
    private final WindowRules rules;
    private final Gathering lenient;
    private final Gathering strict;
    private final LongSupplier nanoTime;
    private final Duration timeout;
    private final Function<Duration, Executor> after;
    private final Hints hints = new Hints();

    /**
     * @param lenient also takes what copies say
     * @param strict takes only what the partitions' owners say
     * @param nanoTime as {@link System#nanoTime}
     * @param timeout how long a query may take altogether
     * @param after executes what is to be done that much later
     */
    StatsQueries(
            PartitionCount partitionCount,
            WindowRules rules,
            Gathering lenient,
            Gathering strict,
            LongSupplier nanoTime,
            Duration timeout,
            Function<Duration, Executor> after) {
        this.partitionCount = partitionCount;
        this.rules = rules;
        this.lenient = lenient;
        this.strict = strict;
        this.nanoTime = nanoTime;
        this.timeout = timeout;
        this.after = after;
    }

    /** Whose answer is good enough. */
    public enum Consistency {
        /** The owner's; while it is away a copy's, which says so. */
        ANY,
        /** The owner's only. */
        STRICT
    }

    /** The ticker's latest window of {@code size} milliseconds. */
    public CompletionStage<Answer<WindowStats>> latest(Ticker ticker, long size, Consistency consistency) {
        return ask(
                ticker,
                new Question.Latest(ticker, size),
                consistency,
                slice -> slice.windows().get(0));
    }

    /** The ticker's windows that {@code query} asks for. */
    public CompletionStage<Answer<WindowPage>> windows(Ticker ticker, WindowQuery query, Consistency consistency) {
        return ask(
                ticker,
                new Question.Windows(ticker, query),
                consistency,
                slice -> new WindowPage(
                        slice.windows(),
                        slice.mark().isPresent() ? Optional.of(slice.mark().getAsLong()) : Optional.empty()));
    }

    /** Every ticker's latest window, or those of {@code only} when it is not empty, after {@code after}. */
    public CompletionStage<Answer<StatsPage>> all(
            SortedSet<Ticker> only, Optional<Ticker> after, int limit, long size, Consistency consistency) {
        // One more than asked for tells whether there is a next page.
        Question question = new Question.All(only, after, limit + 1, size);
        List<Integer> partitions = partitions();
        return askAll(question, partitions, deadline(), consistency).thenApply(copies -> {
            if (copies.isEmpty()) {
                return new Unavailable<>(whyNot(0, partitions.size()));
            }
            Map<Ticker, Row> found = rowsByTicker(copies.values());
            List<Row> page = found.values().stream().limit(limit).toList();
            Optional<Ticker> next = found.size() > limit
                    ? Optional.of(page.get(limit - 1).window().ticker())
                    : Optional.empty();
            return found(new StatsPage(page, next, missing(partitions, copies)), copies.values());
        });
    }

    /**
     * The first {@code n} tickers by {@code ranking} over the window of {@code size} milliseconds that ends at the first
     * advance boundary after the highest stream time of all partitions.
     */
    public CompletionStage<Answer<TopList>> top(Ranking ranking, int n, long size, Consistency consistency) {
        List<Integer> partitions = partitions();
        Deadline deadline = deadline();
        return askAll(new Question.StreamTime(), partitions, deadline, consistency)
                .thenCompose(times -> {
                    if (times.isEmpty()) {
                        return CompletableFuture.completedFuture(new Unavailable<>(whyNot(0, partitions.size())));
                    }
                    OptionalLong newest = times.values().stream()
                            .flatMapToLong(copy -> copy.said().mark().stream())
                            .max();
                    if (newest.isEmpty()) {
                        return CompletableFuture.completedFuture(found(
                                new TopList(Optional.empty(), List.of(), missing(partitions, times)), times.values()));
                    }
                    Window window = Window.endingAt(rules.paneStart(newest.getAsLong()) + rules.advance(), size);
                    return askAll(new Question.Top(ranking, n, window), partitions, deadline, consistency)
                            .thenApply(copies -> top(ranking, n, window, partitions, times, copies));
                });
    }

    private Answer<TopList> top(
            Ranking ranking,
            int n,
            Window window,
            List<Integer> partitions,
            Map<Integer, Copy<Slice>> times,
            Map<Integer, Copy<Slice>> copies) {
        if (copies.isEmpty()) {
            return new Unavailable<>(whyNot(0, partitions.size()));
        }
        Map<Ticker, Row> rows = rowsByTicker(copies.values());
        List<Row> top = ranking.first(n, rows.values().stream().map(Row::window).toList()).stream()
                .flatMap(each -> Optional.ofNullable(rows.get(each.ticker())).stream())
                .toList();
        // The window of a partition that was not heard at first might have been a later one.
        TreeSet<Integer> missing = new TreeSet<>(missing(partitions, times));
        missing.addAll(missing(partitions, copies));
        return found(new TopList(Optional.of(window), top, List.copyOf(missing)), copies.values());
    }

    /**
     * Asks the partition that the ticker most likely lies in, then the others, up to the first that knows it: which it is,
     * is its producers' choice.
     */
    private <T> CompletionStage<Answer<T>> ask(
            Ticker ticker, Question question, Consistency consistency, Function<Slice, T> read) {
        List<Integer> partitions = partitions();
        if (partitions.isEmpty()) {
            return CompletableFuture.completedFuture(new Unavailable<>(whyNot(0, 0)));
        }
        Integer hinted = hints.of(ticker, partitions.size());
        Gathering gathering = gathering(consistency);
        Deadline deadline = deadline();
        return again(
                        () -> gathering
                                .ask(question, List.of(hinted), deadline, Slice::known)
                                .thenCompose(first -> knows(first)
                                        ? CompletableFuture.completedFuture(first)
                                        : askOthers(gathering, question, partitions, hinted, first, deadline)),
                        copies -> knows(copies) || copies.size() == partitions.size(),
                        deadline,
                        FIRST_PAUSE)
                .thenApply(copies -> answer(ticker, copies, partitions.size(), read));
    }

    private static CompletableFuture<Map<Integer, Copy<Slice>>> askOthers(
            Gathering gathering,
            Question question,
            List<Integer> partitions,
            Integer hinted,
            Map<Integer, Copy<Slice>> first,
            Deadline deadline) {
        List<Integer> others = new ArrayList<>(partitions);
        others.remove(hinted);
        return gathering.ask(question, others, deadline, Slice::known).thenApply(second -> {
            Map<Integer, Copy<Slice>> both = new HashMap<>(second);
            both.putAll(first);
            return both;
        });
    }

    private static boolean knows(Map<Integer, Copy<Slice>> copies) {
        return copies.values().stream().anyMatch(copy -> copy.said().known());
    }

    /**
     * Asks anew, after a pause, while there are partitions that nobody has: when they move from one instance to another
     * there may be none for a moment.
     */
    private CompletableFuture<Map<Integer, Copy<Slice>>> again(
            Supplier<CompletableFuture<Map<Integer, Copy<Slice>>>> attempt,
            Predicate<Map<Integer, Copy<Slice>>> complete,
            Deadline deadline,
            Duration pause) {
        return attempt.get()
                .thenCompose(copies -> complete.test(copies) || !deadline.allows(pause)
                        ? CompletableFuture.completedFuture(copies)
                        : CompletableFuture.supplyAsync(
                                        () -> again(attempt, complete, deadline, pause.multipliedBy(2)),
                                        after.apply(pause))
                                .thenCompose(Function.identity()));
    }

    private <T> Answer<T> answer(Ticker ticker, Map<Integer, Copy<Slice>> copies, int count, Function<Slice, T> read) {
        Optional<Copy<Slice>> knows = copies.values().stream()
                .filter(copy -> copy.said().known())
                .reduce((a, b) -> b.isBetterThan(a) ? b : a);
        if (knows.isPresent()) {
            hints.found(ticker, knows.get().partition(), count);
            return new Found<>(read.apply(knows.get().said()), stale(knows.get()));
        }
        // A copy may not have heard of the ticker yet.
        long sure = copies.values().stream().filter(Copy::active).count();
        return sure == count ? new UnknownTicker<>() : new Unavailable<>(whyNot(sure, count));
    }

    private CompletableFuture<Map<Integer, Copy<Slice>>> askAll(
            Question question, List<Integer> partitions, Deadline deadline, Consistency consistency) {
        return again(
                () -> gathering(consistency).ask(question, partitions, deadline, slice -> false),
                copies -> copies.size() == partitions.size(),
                deadline,
                FIRST_PAUSE);
    }

    private Gathering gathering(Consistency consistency) {
        return consistency == Consistency.STRICT ? strict : lenient;
    }

    private Deadline deadline() {
        return new Deadline(nanoTime, timeout);
    }

    private List<Integer> partitions() {
        return IntStream.range(0, partitionCount.get()).boxed().toList();
    }

    /** A ticker lies in one partition; where its producers disagree, the one with the newest trade speaks. */
    private static Map<Ticker, Row> rowsByTicker(Collection<Copy<Slice>> copies) {
        Map<Ticker, Row> rows = new TreeMap<>();
        for (Copy<Slice> copy : copies) {
            for (WindowStats window : copy.said().windows()) {
                rows.merge(window.ticker(), new Row(window, stale(copy)), StatsQueries::newer);
            }
        }
        return rows;
    }

    private static Row newer(Row a, Row b) {
        return a.window().stats().last().eventNanos()
                        >= b.window().stats().last().eventNanos()
                ? a
                : b;
    }

    private static Optional<Stale> stale(Copy<Slice> copy) {
        return copy.active() ? Optional.empty() : Optional.of(new Stale(copy.lag()));
    }

    private static <T> Answer<T> found(T value, Collection<Copy<Slice>> copies) {
        return new Found<>(
                value, copies.stream().flatMap(copy -> stale(copy).stream()).reduce((a, b) -> a.or(b)));
    }

    private static List<Integer> missing(List<Integer> partitions, Map<Integer, Copy<Slice>> copies) {
        return partitions.stream()
                .filter(partition -> !copies.containsKey(partition))
                .toList();
    }

    private static String whyNot(long heard, int count) {
        if (count == 0) {
            return "The trades topic has not been seen yet: the service is starting, or waits for its topics or its broker.";
        }
        return "Only " + heard + " of " + count
                + " partitions can be asked now: an instance is starting, restoring its state or away, or partitions are"
                + " moving.";
    }
}
