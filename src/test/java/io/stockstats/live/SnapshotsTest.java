package io.stockstats.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.query.Answer;
import io.stockstats.query.Row;
import io.stockstats.query.Stale;
import io.stockstats.query.StatsPage;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.CopyLags;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PanesInMemory;
import io.stockstats.topology.KnownTimes;
import io.stockstats.trade.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotsTest {

    private static final int PARTITIONS = 3;
    private static final long NOW = 1_000_000;
    private static final long SIZE = 5_000;

    private final List<PanesInMemory> stores = List.of(new PanesInMemory(), new PanesInMemory(), new PanesInMemory());
    private final KnownTimes times = new KnownTimes();
    private final LocalPanes panes = new LocalPanes(
            partition -> {
                throw new InvalidStateStoreException("moved");
            },
            times.times(),
            new CopyLags(),
            partition -> true,
            PanesInMemory.RULES);

    @BeforeEach
    void allPartitionsAreHere() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            times.with(partition, NOW, stores.get(partition).store());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1_000, 1_001, 2_000, 2_500})
    void every_ticker_is_read_once_however_many_pages_it_takes(int tickers) {
        // Given
        Set<String> expected = trade(tickers);

        // When
        Snapshot snapshot = Snapshots.local(panes, PARTITIONS, SIZE);

        // Then
        assertTrue(snapshot.complete());
        assertEquals(tickers, snapshot.windows().size());
        assertEquals(expected, symbols(snapshot));
        assertTrue(
                snapshot.windows().stream().allMatch(window -> window.window().equals(Window.endingAt(NOW, SIZE))));
    }

    @Test
    void everything_is_all_pages() {
        // Given
        trade(5);
        List<WindowStats> windows = Snapshots.local(panes, PARTITIONS, SIZE).windows();

        // When
        Snapshot snapshot = everything(after -> new Answer.Found<>(
                after.isEmpty() ? page(windows.subList(0, 3), true) : page(windows.subList(3, 5), false),
                Optional.empty()));

        // Then
        assertEquals(new Snapshot(windows, true), snapshot);
    }

    @Test
    void everything_is_not_complete_when_a_partition_is_missing_or_only_a_copy_answers_or_a_page_cannot_be_had() {
        // Given
        trade(3);
        List<WindowStats> windows = Snapshots.local(panes, PARTITIONS, SIZE).windows();

        // When
        Snapshot missing = everything(after ->
                new Answer.Found<>(new StatsPage(rows(windows), Optional.empty(), List.of(1)), Optional.empty()));
        Snapshot stale = everything(
                after -> new Answer.Found<>(page(windows, false), Optional.of(new Stale(OptionalLong.of(3)))));
        Snapshot broken = everything(after -> after.isEmpty()
                ? new Answer.Found<>(page(windows, true), Optional.empty())
                : new Answer.Unavailable<>("for this test"));

        // Then
        for (Snapshot snapshot : List.of(missing, stale, broken)) {
            assertEquals(new Snapshot(windows, false), snapshot);
        }
    }

    private static Snapshot everything(Function<Optional<Ticker>, Answer<StatsPage>> pages) {
        return Snapshots.everything(after -> CompletableFuture.completedFuture(pages.apply(after)))
                .toCompletableFuture()
                .join();
    }

    private static StatsPage page(List<WindowStats> windows, boolean more) {
        Optional<Ticker> next =
                more ? Optional.of(windows.get(windows.size() - 1).ticker()) : Optional.empty();
        return new StatsPage(rows(windows), next, List.of());
    }

    private static List<Row> rows(List<WindowStats> windows) {
        return windows.stream().map(window -> new Row(window, Optional.empty())).toList();
    }

    @Test
    void a_partition_that_is_elsewhere_is_no_part_of_what_is_here() {
        // Given
        trade(9);
        times.release(1);

        // When
        Snapshot local = Snapshots.local(panes, PARTITIONS, SIZE);

        // Then
        assertTrue(local.complete());
        assertEquals(6, local.windows().size());
    }

    @Test
    void a_partition_that_cannot_be_read_now_makes_it_incomplete() {
        // Given
        trade(9);
        times.with(2, NOW, Stores.persistentKeyValueStore("closed").get());

        // When, then
        assertFalse(Snapshots.local(panes, PARTITIONS, SIZE).complete());
    }

    /** So many tickers, over all partitions in turn. */
    private Set<String> trade(int tickers) {
        IntStream.range(0, tickers).forEach(i -> stores.get(i % PARTITIONS).trade("T" + i, NOW - 1, 5));
        return IntStream.range(0, tickers).mapToObj(i -> "T" + i).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> symbols(Snapshot snapshot) {
        return snapshot.windows().stream()
                .map(window -> window.ticker().symbol())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
