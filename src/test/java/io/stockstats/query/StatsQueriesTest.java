package io.stockstats.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.WindowStats;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PanesInMemory;
import io.stockstats.store.PartitionCount;
import io.stockstats.store.WindowPage;
import io.stockstats.store.WindowQuery;
import io.stockstats.topology.KnownTimes;
import io.stockstats.topology.StatsTopology;
import io.stockstats.trade.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatsQueriesTest {

    private static final int PARTITIONS = 4;
    private static final long NOW = 1_000_000;
    private static final Ticker MMM = new Ticker("MMM");
    private static final int HINTED = StatsTopology.partitionOf("MMM".getBytes(StandardCharsets.UTF_8), PARTITIONS);
    private static final SortedSet<Ticker> ANY = Collections.emptySortedSet();
    private static final WindowQuery WINDOWS = new WindowQuery(Optional.empty(), Optional.empty(), 5_000, 100, false);

    private final Map<Integer, PanesInMemory> partitions = new HashMap<>();
    private final KnownTimes times = new KnownTimes();
    private final PartitionCount count = new PartitionCount();
    private final List<Integer> asked = new ArrayList<>();
    private final StatsQueries queries =
            new StatsQueries(new LocalPanes(this::store, times.times(), PanesInMemory.RULES), count);

    @BeforeEach
    void allPartitionsAreHere() {
        count.set(PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            partitions.put(partition, new PanesInMemory());
            times.with(partition, NOW);
        }
    }

    private ReadOnlyKeyValueStore<Bytes, byte[]> store(int partition) {
        asked.add(partition);
        PanesInMemory here = partitions.get(partition);
        if (here == null) {
            throw new InvalidStateStoreException("moved");
        }
        return here.store();
    }

    // One ticker.

    @Test
    void a_ticker_is_looked_for_where_its_producer_most_likely_put_it_and_no_further() {
        partitions.get(HINTED).trade("MMM", NOW, 7);

        assertEquals("found 7.0", said(queries.latest(MMM, 5_000)));
        assertEquals(List.of(HINTED), asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void a_ticker_is_found_in_whichever_partition_it_lies(int away) {
        int partition = (HINTED + away) % PARTITIONS;
        partitions.get(partition).trade("MMM", NOW, 7);

        assertEquals("found 7.0", said(queries.latest(MMM, 5_000)));
        assertEquals("found 5 windows", said(queries.windows(MMM, WINDOWS), StatsQueriesTest::windowCount));
        assertEquals(2 * (away + 1), asked.size());
    }

    @Test
    void a_ticker_is_unknown_when_every_partition_was_asked() {
        partitions.get(0).trade("MMMM", NOW, 7);

        assertEquals("unknown", said(queries.latest(MMM, 5_000)));
        assertEquals("unknown", said(queries.windows(MMM, WINDOWS), StatsQueriesTest::windowCount));
    }

    @Test
    void a_ticker_that_no_readable_partition_knows_may_be_in_another() {
        times.release((HINTED + 2) % PARTITIONS);

        String answer = said(queries.latest(MMM, 5_000));

        assertTrue(answer.startsWith("unavailable: Only 3 of 4 partitions can be read now"), answer);
    }

    @Test
    void a_ticker_is_found_although_other_partitions_cannot_be_read() {
        times.release(HINTED);
        partitions.get((HINTED + 1) % PARTITIONS).trade("MMM", NOW, 7);

        assertEquals("found 7.0", said(queries.latest(MMM, 5_000)));
    }

    @Test
    void a_store_that_moves_away_while_it_is_asked_for_says_nothing() {
        partitions.remove(HINTED);

        String answer = said(queries.latest(MMM, 5_000));

        assertTrue(answer.startsWith("unavailable: "), answer);
    }

    @Test
    void a_store_whose_task_ends_while_it_is_read_says_nothing() {
        LocalPanes moving = new LocalPanes(
                partition -> {
                    times.release(partition);
                    return new PanesInMemory().store();
                },
                times.times(),
                PanesInMemory.RULES);

        String answer = said(new StatsQueries(moving, count).latest(MMM, 5_000));

        assertTrue(answer.startsWith("unavailable: Only 0 of 4 partitions"), answer);
    }

    @Test
    void nothing_can_be_said_while_the_number_of_partitions_is_unknown() {
        partitions.get(HINTED).trade("MMM", NOW, 7);
        count.set(0);

        String latest = said(queries.latest(MMM, 5_000));
        String all = said(queries.all(ANY, Optional.empty(), 10, 5_000), StatsQueriesTest::page);

        assertTrue(latest.startsWith("unavailable: The trades topic has not been seen yet"), latest);
        assertEquals(latest, all);
        assertEquals(List.of(), asked);
    }

    // All tickers.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 10})
    void pages_followed_to_the_end_name_every_ticker_of_every_partition_once_in_code_point_order(int limit) {
        List<String> ordered = List.of("A", "A/B", "AB", "B", "\u5E01", "\uFF21", "\uD835\uDD38");
        for (int i = 0; i < ordered.size(); i++) {
            partitions.get(i * 3 % PARTITIONS).trade(ordered.get(i), NOW, i);
        }
        List<String> seen = new ArrayList<>();
        Optional<Ticker> after = Optional.empty();

        do {
            StatsPage page = found(queries.all(ANY, after, limit, 5_000));
            assertTrue(page.stats().size() <= limit);
            assertEquals(List.of(), page.missingPartitions());
            page.stats().forEach(each -> seen.add(each.ticker().symbol()));
            assertEquals(seen.size() < ordered.size(), page.next().isPresent());
            after = page.next();
        } while (after.isPresent());

        assertEquals(ordered, seen);
    }

    @Test
    void only_the_tickers_that_are_asked_for_are_named_page_by_page() {
        for (String symbol : List.of("A", "B", "C", "D")) {
            partitions.get(symbol.charAt(0) % PARTITIONS).trade(symbol, NOW, 1);
        }
        SortedSet<Ticker> only =
                new TreeSet<>(Stream.of("D", "B", "NONE", "C").map(Ticker::new).toList());

        assertEquals(
                "found [B, C] next C", said(queries.all(only, Optional.empty(), 2, 5_000), StatsQueriesTest::page));
        assertEquals(
                "found [D] last",
                said(queries.all(only, Optional.of(new Ticker("C")), 2, 5_000), StatsQueriesTest::page));
    }

    @Test
    void partitions_that_cannot_be_asked_are_named() {
        partitions.get(0).trade("A", NOW, 1);
        times.release(1);
        partitions.remove(3);

        StatsPage page = found(queries.all(ANY, Optional.empty(), 10, 5_000));

        assertEquals(List.of(1, 3), page.missingPartitions());
        assertEquals("[A] last", page(page));
    }

    @Test
    void nothing_can_be_said_when_no_partition_can_be_asked() {
        partitions.clear();

        String answer = said(queries.all(ANY, Optional.empty(), 10, 5_000), StatsQueriesTest::page);

        assertTrue(answer.startsWith("unavailable: "), answer);
    }

    @Test
    void no_ticker_at_all_is_an_empty_page() {
        assertEquals("found [] last", said(queries.all(ANY, Optional.empty(), 10, 5_000), StatsQueriesTest::page));
    }

    @Test
    void of_a_ticker_in_two_partitions_the_one_with_the_newest_trade_speaks() {
        partitions.get(0).trade("A", NOW - 3_000, 1);
        partitions.get(1).trade("A", NOW, 2);
        partitions.get(2).trade("A", NOW - 2_000, 3);

        StatsPage page = found(queries.all(ANY, Optional.empty(), 10, 5_000));

        assertEquals(1, page.stats().size());
        assertEquals(2, page.stats().get(0).stats().last().price());
    }

    private static String said(Answer<WindowStats> answer) {
        return said(answer, window -> Double.toString(window.stats().last().price()));
    }

    private static <T> String said(Answer<T> answer, Function<T, String> words) {
        return answer.fold(
                value -> "found " + words.apply(value),
                unknown -> "unknown",
                unavailable -> "unavailable: " + unavailable.why());
    }

    private static StatsPage found(Answer<StatsPage> answer) {
        return answer.fold(
                page -> page,
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
        return page.stats().stream().map(each -> each.ticker().symbol()).toList()
                + page.next().map(ticker -> " next " + ticker).orElse(" last");
    }
}
