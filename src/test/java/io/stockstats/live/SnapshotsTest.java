package io.stockstats.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.query.StatsQueries;
import io.stockstats.stats.Window;
import io.stockstats.store.LocalPanes;
import io.stockstats.store.PanesInMemory;
import io.stockstats.store.PartitionCount;
import io.stockstats.topology.KnownTimes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
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
    private final PartitionCount count = new PartitionCount();
    private int unreadable = -1;
    private final LocalPanes panes = new LocalPanes(
            partition -> {
                if (partition == unreadable) {
                    throw new InvalidStateStoreException("moved");
                }
                return stores.get(partition).store();
            },
            times.times(),
            PanesInMemory.RULES);

    @BeforeEach
    void allPartitionsAreHere() {
        count.set(PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            times.with(partition, NOW);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1_000, 1_001, 2_000, 2_500})
    void every_ticker_is_read_once_however_many_pages_it_takes(int tickers) {
        // Given
        Set<String> expected = trade(tickers);

        // When
        Snapshot everything = Snapshots.everything(new StatsQueries(panes, count), SIZE);
        Snapshot local = Snapshots.local(panes, PARTITIONS, SIZE);

        // Then
        for (Snapshot snapshot : List.of(everything, local)) {
            assertTrue(snapshot.complete());
            assertEquals(tickers, snapshot.windows().size());
            assertEquals(expected, symbols(snapshot));
            assertTrue(snapshot.windows().stream()
                    .allMatch(window -> window.window().equals(Window.endingAt(NOW, SIZE))));
        }
    }

    @Test
    void a_partition_that_is_elsewhere_is_missing_from_everything_and_is_no_part_of_what_is_here() {
        // Given
        trade(9);
        times.release(1);

        // When
        Snapshot everything = Snapshots.everything(new StatsQueries(panes, count), SIZE);
        Snapshot local = Snapshots.local(panes, PARTITIONS, SIZE);

        // Then
        assertFalse(everything.complete());
        assertEquals(6, everything.windows().size());
        assertTrue(local.complete());
        assertEquals(6, local.windows().size());
    }

    @Test
    void a_partition_that_cannot_be_read_now_makes_both_incomplete() {
        // Given
        trade(9);
        unreadable = 2;

        // When, then
        assertFalse(Snapshots.everything(new StatsQueries(panes, count), SIZE).complete());
        assertFalse(Snapshots.local(panes, PARTITIONS, SIZE).complete());
    }

    @Test
    void before_the_topic_was_seen_nothing_is_complete() {
        count.set(0);

        assertEquals(new Snapshot(List.of(), false), Snapshots.everything(new StatsQueries(panes, count), SIZE));
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
