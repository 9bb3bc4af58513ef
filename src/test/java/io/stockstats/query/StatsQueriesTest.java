package io.stockstats.query;

import static io.stockstats.query.StatsQueries.Consistency.ANY;
import static io.stockstats.query.StatsQueries.Consistency.STRICT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.CopyLags;
import io.stockstats.store.InstanceAddress;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.Ownership;
import io.stockstats.store.PanesInMemory;
import io.stockstats.store.WindowPage;
import io.stockstats.store.WindowQuery;
import io.stockstats.topology.KnownTimes;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.StatsTopology;
import io.stockstats.trade.Ticker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several instances, each with the panes of some partitions, that ask each other in the bytes they would send. */
class StatsQueriesTest {

    private static final int PARTITIONS = 4;
    private static final long NOW = 1_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Ticker MMM = new Ticker("MMM");
    private static final int HINTED = StatsTopology.partitionOf("MMM".getBytes(StandardCharsets.UTF_8), PARTITIONS);
    private static final SortedSet<Ticker> ALL = Collections.emptySortedSet();
    private static final WindowQuery WINDOWS = new WindowQuery(Optional.empty(), Optional.empty(), 5_000, 100, false);

    private final PartitionCount count = new PartitionCount();

    /** What has been asked, as instance and partition. */
    private final List<String> asked = new ArrayList<>();

    private final Map<InstanceAddress, Instance> instances = new HashMap<>();
    private final Map<Integer, InstanceAddress> owners = new HashMap<>();
    private long nanos;
    private Runnable whilePausing = () -> {};
    private final Instance a = new Instance("a");
    private final Instance b = new Instance("b");
    private final Instance c = new Instance("c");

    /** One instance; all share a host, as they do on a laptop. */
    private final class Instance {
        private final InstanceAddress address;
        private final Map<Integer, PanesInMemory> partitions = new HashMap<>();
        private final KnownTimes times = new KnownTimes();
        private final CopyLags lags = new CopyLags();
        private boolean dead;
        private boolean hangs;

        Instance(String name) {
            address = new InstanceAddress("localhost", 8080 + name.charAt(0));
            instances.put(address, this);
        }

        PanesInMemory owns(int partition) {
            owners.put(partition, address);
            return processes(partition);
        }

        PanesInMemory processes(int partition) {
            isAt(partition, NOW);
            return copies(partition);
        }

        void loses(int partition) {
            partitions.remove(partition);
            times.release(partition);
        }

        void losesAll() {
            List.copyOf(partitions.keySet()).forEach(this::loses);
        }

        void isAt(int partition, long streamTime) {
            times.with(partition, streamTime, copies(partition).store());
        }

        /** Has a copy, of nobody knows what age. */
        PanesInMemory copies(int partition) {
            return partitions.computeIfAbsent(partition, any -> new PanesInMemory());
        }

        LocalPanes panes() {
            return new LocalPanes(
                    partition -> {
                        PanesInMemory here = partitions.get(partition);
                        if (here == null) {
                            throw new InvalidStateStoreException("not here");
                        }
                        return here.store();
                    },
                    times.times(),
                    lags,
                    partition -> true,
                    PanesInMemory.RULES);
        }

        StatsQueries queries() {
            return queries(copy -> true);
        }

        StatsQueries queries(Predicate<Copy<Slice>> recent) {
            LocalPanes panes = panes();
            Gathering.Here here = (partition, question) -> {
                asked.add(name() + partition);
                return panes.read(partition, question::of);
            };
            return new StatsQueries(
                    count,
                    PanesInMemory.RULES,
                    new Gathering(this::ownership, here, StatsQueriesTest.this::ask, Runnable::run, recent),
                    new Gathering(this::ownership, here, StatsQueriesTest.this::ask, Runnable::run, Copy::active),
                    () -> nanos,
                    TIMEOUT,
                    pause -> task -> {
                        nanos += pause.toNanos();
                        whilePausing.run();
                        task.run();
                    });
        }

        private String name() {
            return Character.toString(address.port() - 8080);
        }

        private Ownership ownership() {
            Set<InstanceAddress> peers = new HashSet<>(instances.keySet());
            peers.remove(address);
            return new Ownership(address, Map.copyOf(owners), Map.of(), peers);
        }
    }

    private CompletableFuture<List<Copy<Slice>>> ask(
            InstanceAddress address, Question question, Collection<Integer> partitions, Duration within) {
        Instance peer = instances.get(address);
        partitions.forEach(partition -> asked.add(peer.name() + partition));
        if (peer.hangs) {
            nanos += within.toNanos();
        }
        if (peer.dead || peer.hangs) {
            return CompletableFuture.completedFuture(List.of());
        }
        LocalPanes panes = peer.panes();
        byte[] request = PeerFormat.request(new PeerFormat.Request(partitions, question));
        byte[] reply = new PeerAnswers((partition, each) -> panes.read(partition, each::of)).answer(request);
        return CompletableFuture.completedFuture(PeerFormat.reply(reply));
    }

    @BeforeEach
    void everyInstanceOwnsSomething() {
        count.set(PARTITIONS);
        List<Instance> all = List.of(a, b, c);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            all.get(partition % all.size()).owns(partition);
        }
    }

    private PanesInMemory partition(int partition) {
        return owner(partition).partitions.get(partition);
    }

    private Instance owner(int partition) {
        return instances.get(owners.get(partition));
    }

    private List<Instance> others(Instance than) {
        return instances.values().stream().filter(each -> each != than).toList();
    }

    // One ticker.

    @Test
    void a_ticker_is_looked_for_where_its_producer_most_likely_put_it_and_no_further() {
        partition(HINTED).trade("MMM", NOW, 7);

        assertEquals("found 7.0", latest(a));
        assertEquals(List.of(owner(HINTED).name() + HINTED), asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void every_instance_finds_a_ticker_in_whichever_partition_it_lies(int partition) {
        partition(partition).trade("MMM", NOW, 7);

        for (Instance instance : List.of(a, b, c)) {
            assertEquals("found 7.0", latest(instance));
            assertEquals(
                    "found 5 windows",
                    said(instance.queries().windows(MMM, WINDOWS, ANY), StatsQueriesTest::windowCount));
        }
    }

    @Test
    void a_ticker_is_looked_for_first_where_it_was_found_last_wherever_that_is() {
        int elsewhere = (HINTED + 1) % PARTITIONS;
        partition(elsewhere).trade("MMM", NOW, 7);
        StatsQueries queries = a.queries();
        said(queries.latest(MMM, 5_000, ANY));
        asked.clear();

        assertEquals("found 7.0", said(queries.latest(MMM, 5_000, ANY)));
        assertEquals(List.of(owner(elsewhere).name() + elsewhere), asked);

        // And when it lies elsewhere by now
        owner(elsewhere).loses(elsewhere);
        owner(elsewhere).processes(elsewhere);
        partition(HINTED).trade("MMM", NOW, 8);
        assertEquals("found 8.0", said(queries.latest(MMM, 5_000, ANY)));
        asked.clear();
        assertEquals("found 8.0", said(queries.latest(MMM, 5_000, ANY)));
        assertEquals(List.of(owner(HINTED).name() + HINTED), asked);
    }

    @Test
    void a_ticker_is_unknown_when_every_partition_was_asked() {
        partition(0).trade("MMMM", NOW, 7);

        assertEquals("unknown", latest(a));
        assertEquals("unknown", said(a.queries().windows(MMM, WINDOWS, ANY), StatsQueriesTest::windowCount));
        assertEquals(Set.of("a0", "b1", "c2", "a3"), Set.copyOf(asked));
    }

    @Test
    void a_ticker_that_no_partition_within_reach_knows_may_be_in_another() {
        owner((HINTED + 1) % PARTITIONS).dead = true;

        String answer = latest(others(owner((HINTED + 1) % PARTITIONS)).get(0));

        assertTrue(answer.startsWith("unavailable: Only "), answer);
    }

    @Test
    void a_ticker_is_found_although_the_hinted_partition_is_out_of_reach() {
        int elsewhere = (HINTED + 1) % PARTITIONS;
        partition(elsewhere).trade("MMM", NOW, 7);
        owner(HINTED).dead = true;

        assertEquals("found 7.0", latest(owner(elsewhere)));
    }

    @Test
    void nothing_can_be_said_while_the_number_of_partitions_is_unknown() {
        partition(HINTED).trade("MMM", NOW, 7);
        count.set(0);

        String latest = latest(a);
        String all = said(a.queries().all(ALL, Optional.empty(), 10, 5_000, ANY), StatsQueriesTest::page);

        assertTrue(latest.startsWith("unavailable: The trades topic has not been seen yet"), latest);
        assertEquals(latest, all);
        assertEquals(List.of(), asked);
    }

    // The owner is away, or another than was thought.

    @Test
    void while_the_owner_is_away_a_copy_answers_and_says_so() {
        Instance owner = owner(HINTED);
        owner.dead = true;
        Instance standby = others(owner).get(0);
        standby.copies(HINTED).trade("MMM", NOW, 7);

        for (Instance instance : others(owner)) {
            assertEquals("found 7.0 stale lag unknown", latest(instance));
        }
    }

    @Test
    void of_two_copies_the_one_that_is_less_behind_answers() {
        Copy<Slice> far = Copy.following(1, OptionalLong.of(9), slice());
        Copy<Slice> near = Copy.following(1, OptionalLong.of(2), slice());
        Copy<Slice> unknown = Copy.following(1, OptionalLong.empty(), slice());
        Copy<Slice> active = Copy.active(1, slice());

        assertTrue(near.isBetterThan(far) && far.isBetterThan(unknown) && active.isBetterThan(near));
        assertTrue(!far.isBetterThan(near) && !unknown.isBetterThan(far) && !near.isBetterThan(active));
    }

    private static Slice slice() {
        return new Slice(true, List.of(), OptionalLong.empty());
    }

    @Test
    void a_copy_does_not_answer_whom_only_the_owner_will_do() {
        Instance owner = owner(HINTED);
        owner.dead = true;
        Instance other = others(owner).get(0);
        other.copies(HINTED).trade("MMM", NOW, 7);

        String answer = said(other.queries().latest(MMM, 5_000, STRICT));

        assertTrue(answer.startsWith("unavailable: "), answer);
    }

    @Test
    void a_copy_of_unknown_age_does_not_answer_where_there_is_a_limit() {
        Instance owner = owner(HINTED);
        owner.dead = true;
        Instance other = others(owner).get(0);
        other.copies(HINTED).trade("MMM", NOW, 7);
        StatsQueries limited = other.queries(copy -> copy.active() || copy.lag().orElse(Long.MAX_VALUE) <= 1_000_000);

        String answer = said(limited.latest(MMM, 5_000, ANY));

        assertTrue(answer.startsWith("unavailable: "), answer);
    }

    @Test
    void a_copy_that_does_not_know_a_ticker_may_not_have_heard_of_it_yet() {
        Instance owner = owner(HINTED);
        owner.dead = true;
        Instance other = others(owner).get(0);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (owner(partition) == owner) {
                other.copies(partition);
            }
        }

        String answer = latest(other);

        assertTrue(answer.startsWith("unavailable: "), answer);
    }

    @Test
    void an_owner_that_the_group_does_not_know_yet_is_found_and_preferred_to_copies() {
        Instance was = owner(HINTED);
        was.times.release(HINTED);
        partition(HINTED).trade("MMM", NOW, 6);
        Instance is = others(was).get(1);
        is.processes(HINTED).trade("MMM", NOW, 7);
        others(was).get(0).copies(HINTED).trade("MMM", NOW, 5);

        for (Instance instance : List.of(a, b, c)) {
            assertEquals("found 7.0", latest(instance));
        }
    }

    @Test
    void instances_that_each_take_the_other_for_the_owner_say_so_in_time() {
        owners.replaceAll((partition, owner) -> b.address);
        a.losesAll();
        b.losesAll();
        instances.remove(c.address);

        String answer = latest(a);

        assertTrue(answer.startsWith("unavailable: "), answer);
        assertTrue(nanos <= TIMEOUT.toNanos());
    }

    @Test
    void a_partition_that_nobody_has_for_a_moment_is_waited_for() {
        Instance was = owner(HINTED);
        was.times.release(HINTED);
        was.loses(HINTED);
        whilePausing = () -> others(was).get(0).owns(HINTED).trade("MMM", NOW, 7);

        assertEquals("found 7.0", latest(was));
        assertEquals(Duration.ofMillis(50).toNanos(), nanos);
    }

    @Test
    void a_page_waits_for_a_partition_that_nobody_has_for_a_moment() {
        Instance was = owner(HINTED);
        was.times.release(HINTED);
        was.loses(HINTED);
        whilePausing = () -> others(was).get(0).owns(HINTED).trade("MMM", NOW, 7);

        StatsPage page = found(was.queries().all(ALL, Optional.empty(), 10, 5_000, ANY));

        assertEquals("[MMM] last", page(page));
        assertEquals(List.of(), page.missingPartitions());
    }

    @Test
    void a_query_waits_no_longer_than_its_time_however_many_hang() {
        for (Instance instance : List.of(b, c)) {
            instance.hangs = true;
        }

        String answer = latest(a);

        assertTrue(answer.startsWith("unavailable: "), answer);
        // The fake takes those that are asked at once for one after the other.
        assertTrue(nanos <= 2 * TIMEOUT.toNanos(), () -> TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
    }

    @Test
    void a_hanging_owner_leaves_time_to_ask_a_copy() {
        Instance owner = owner(HINTED);
        owner.hangs = true;
        Instance standby = others(owner).get(0);
        standby.copies(HINTED).trade("MMM", NOW, 7);

        assertEquals("found 7.0 stale lag unknown", latest(others(owner).get(1)));
        assertTrue(nanos < TIMEOUT.toNanos());
    }

    @Test
    void a_task_that_ends_while_its_store_is_read_says_nothing() {
        Instance owner = owner(HINTED);

        assertEquals(Optional.empty(), owner.panes().read(HINTED, panes -> {
            owner.times.release(HINTED);
            return panes.latest(MMM, 5_000);
        }));
    }

    @Test
    void a_store_that_closes_while_it_is_read_says_nothing() {
        PanesInMemory copy = new PanesInMemory();
        int[] reads = {0};
        LocalPanes closing = new LocalPanes(
                partition -> {
                    if (++reads[0] > 1) {
                        throw new InvalidStateStoreException("closed");
                    }
                    return copy.store();
                },
                new KnownTimes().times(),
                new CopyLags(),
                partition -> true,
                PanesInMemory.RULES);

        assertEquals(Optional.empty(), closing.read(HINTED, panes -> panes.latest(MMM, 5_000)));
    }

    @Test
    void what_is_still_being_restored_says_nothing() {
        PanesInMemory partly = new PanesInMemory().trade("MMM", NOW, 7);
        LocalPanes restoring = new LocalPanes(
                partition -> partly.store(),
                new KnownTimes().times(),
                new CopyLags(),
                partition -> partition != HINTED,
                PanesInMemory.RULES);

        assertEquals(Optional.empty(), restoring.read(HINTED, panes -> panes.latest(MMM, 5_000)));
        assertTrue(restoring.read(HINTED + 1, panes -> panes.latest(MMM, 5_000)).isPresent());
    }

    // All tickers.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 10})
    void pages_followed_to_the_end_name_every_ticker_of_every_instance_once_in_code_point_order(int limit) {
        List<String> ordered = List.of("A", "A/B", "AB", "B", "\u5E01", "\uFF21", "\uD835\uDD38");
        for (int i = 0; i < ordered.size(); i++) {
            partition(i * 3 % PARTITIONS).trade(ordered.get(i), NOW, i);
        }
        List<String> seen = new ArrayList<>();
        Optional<Ticker> after = Optional.empty();

        do {
            StatsPage page = found(b.queries().all(ALL, after, limit, 5_000, ANY));
            assertTrue(page.stats().size() <= limit);
            assertEquals(List.of(), page.missingPartitions());
            page.stats().forEach(each -> seen.add(each.window().ticker().symbol()));
            assertEquals(seen.size() < ordered.size(), page.next().isPresent());
            after = page.next();
        } while (after.isPresent());

        assertEquals(ordered, seen);
    }

    @Test
    void only_the_tickers_that_are_asked_for_are_named_page_by_page() {
        for (String symbol : List.of("A", "B", "C", "D")) {
            partition(symbol.charAt(0) % PARTITIONS).trade(symbol, NOW, 1);
        }
        SortedSet<Ticker> only =
                new TreeSet<>(Stream.of("D", "B", "NONE", "C").map(Ticker::new).toList());

        assertEquals(
                "found [B, C] next C",
                said(c.queries().all(only, Optional.empty(), 2, 5_000, ANY), StatsQueriesTest::page));
        assertEquals(
                "found [D] last",
                said(c.queries().all(only, Optional.of(new Ticker("C")), 2, 5_000, ANY), StatsQueriesTest::page));
    }

    @Test
    void partitions_that_cannot_be_asked_are_named_and_copies_say_that_they_are() {
        partition(0).trade("A", NOW, 1);
        b.dead = true;
        c.dead = true;
        a.copies(2).trade("C", NOW, 3);

        var answer = a.queries().all(ALL, Optional.empty(), 10, 5_000, ANY);

        assertEquals("found [A, C stale] last stale lag unknown", said(answer, StatsQueriesTest::page));
        assertEquals(List.of(1), found(answer).missingPartitions());
    }

    @Test
    void nothing_can_be_said_when_no_partition_can_be_asked() {
        a.losesAll();
        b.dead = true;
        c.dead = true;

        String all = said(a.queries().all(ALL, Optional.empty(), 10, 5_000, ANY), StatsQueriesTest::page);
        String top = said(a.queries().top(new Ranking(Ranking.By.VOLUME, true), 3, 10_000, ANY), StatsQueriesTest::top);

        assertTrue(all.startsWith("unavailable: "), all);
        assertEquals(all, top);
    }

    @Test
    void no_ticker_at_all_is_an_empty_page() {
        assertEquals(
                "found [] last", said(a.queries().all(ALL, Optional.empty(), 10, 5_000, ANY), StatsQueriesTest::page));
    }

    @Test
    void of_a_ticker_in_two_partitions_the_one_with_the_newest_trade_speaks() {
        partition(0).trade("A", NOW - 3_000, 1);
        partition(1).trade("A", NOW, 2);
        partition(2).trade("A", NOW - 2_000, 3);

        StatsPage page = found(a.queries().all(ALL, Optional.empty(), 10, 5_000, ANY));

        assertEquals(1, page.stats().size());
        assertEquals(2, page.stats().get(0).window().stats().last().price());
    }

    // The first of all.

    @Test
    void the_first_of_all_instances_are_over_one_window_which_ends_after_the_newest_trade_of_all() {
        owner(1).isAt(1, NOW + 2_500);
        partition(0).trade("SLOW", NOW - 7_000, 9).trade("GONE", NOW - 8_000, 99);
        partition(1).trade("FAST", NOW + 2_500, 5);
        partition(2).trade("LOW", NOW, 1);

        var answer = a.queries().top(new Ranking(Ranking.By.MAX_PRICE, true), 2, 10_000, ANY);

        assertEquals("found [SLOW, FAST] in Window[start=993000, end=1003000]", said(answer, StatsQueriesTest::top));
    }

    @Test
    void equal_figures_are_ordered_by_ticker_and_cut_after_that() {
        partition(0).trade("B", NOW, 1).trade("D", NOW, 1);
        partition(1).trade("C", NOW, 1);
        partition(2).trade("A", NOW, 1).trade("LESS", NOW, 0.5);

        var highest = b.queries().top(new Ranking(Ranking.By.AVG_PRICE, true), 3, 5_000, ANY);
        var lowest = b.queries().top(new Ranking(Ranking.By.AVG_PRICE, false), 3, 5_000, ANY);

        assertEquals("found [A, B, C] in Window[start=996000, end=1001000]", said(highest, StatsQueriesTest::top));
        assertEquals("found [LESS, A, B] in Window[start=996000, end=1001000]", said(lowest, StatsQueriesTest::top));
    }

    @Test
    void a_list_without_a_partition_that_is_out_of_reach_names_it() {
        partition(0).trade("A", NOW, 1);
        partition(1).trade("B", NOW, 2);
        b.dead = true;

        TopList list = found(a.queries().top(new Ranking(Ranking.By.VOLUME, true), 3, 5_000, ANY));

        assertEquals("[A] in Window[start=996000, end=1001000]", top(list));
        assertEquals(List.of(1), list.missingPartitions());
    }

    @Test
    void before_the_first_trade_there_is_no_window() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            owner(partition).isAt(partition, -1);
        }

        TopList list = found(a.queries().top(new Ranking(Ranking.By.VOLUME, true), 3, 5_000, ANY));

        assertEquals(new TopList(Optional.empty(), List.of(), List.of()), list);
    }

    private String latest(Instance instance) {
        return said(instance.queries().latest(MMM, 5_000, ANY));
    }

    private static String said(CompletionStage<Answer<WindowStats>> answer) {
        return said(answer, window -> Double.toString(window.stats().last().price()));
    }

    private static <T> String said(CompletionStage<Answer<T>> answer, Function<T, String> words) {
        return answer.toCompletableFuture()
                .join()
                .fold(
                        found -> "found " + words.apply(found.value())
                                + found.stale()
                                        .map(stale -> " stale lag "
                                                + (stale.lag().isPresent()
                                                        ? stale.lag().getAsLong()
                                                        : "unknown"))
                                        .orElse(""),
                        unknown -> "unknown",
                        unavailable -> "unavailable: " + unavailable.why());
    }

    private static <T> T found(CompletionStage<Answer<T>> answer) {
        return answer.toCompletableFuture()
                .join()
                .fold(
                        Answer.Found::value,
                        unknown -> {
                            throw new AssertionError("unknown");
                        },
                        unavailable -> {
                            throw new AssertionError(unavailable.why());
                        });
    }

    private static String windowCount(WindowPage page) {
        return page.windows().size() + " windows";
    }

    private static String page(StatsPage page) {
        return rows(page.stats()) + page.next().map(ticker -> " next " + ticker).orElse(" last");
    }

    private static String top(TopList list) {
        return rows(list.top())
                + list.window().map(Window::toString).map(text -> " in " + text).orElse("");
    }

    private static String rows(List<Row> rows) {
        return rows.stream()
                .map(row -> row.window().ticker().symbol() + (row.stale().isPresent() ? " stale" : ""))
                .toList()
                .toString();
    }
}
