package io.stockstats.live;

import static io.stockstats.live.Windows.AAA;
import static io.stockstats.live.Windows.BBB;
import static io.stockstats.live.Windows.finalWindow;
import static io.stockstats.live.Windows.window;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.live.SnapshotSource.Snapshot;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.InstanceAddress;
import io.stockstats.trade.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LiveHubTest {

    private static final Duration ROUND = Duration.ofMillis(100);
    private static final InstanceAddress B = new InstanceAddress("b", 8080);
    private static final InstanceAddress C = new InstanceAddress("c", 8080);

    private final LatestInbox inbox = new LatestInbox();
    private final Snapshots everything = new Snapshots();
    private final Snapshots local = new Snapshots();
    private final Dialer dialer = new Dialer();
    private final Pulse pulse = new Pulse();
    private Peers.View peers = new Peers.View(Set.of(), 0);
    private long nanos = Long.MAX_VALUE - 5_000_000_000L;
    private final LiveHub hub =
            new LiveHub(new LiveSources(everything, local, () -> peers, dialer, pulse, () -> nanos), inbox);

    // Without clients.

    @Test
    void without_a_client_nothing_is_wanted_asked_or_running() {
        assertFalse(inbox.wanted());
        assertNull(pulse.round);
        assertEquals(0, everything.asked());
        assertEquals(0, hub.viewers());
    }

    @Test
    void with_the_last_client_all_ends() {
        // Given
        peers = new Peers.View(Set.of(B), 0);
        LiveClient one = hub.watch(Set.of(), new FakeOutlet());
        LiveClient two = hub.watch(Set.of(), new FakeOutlet());
        LiveClient peer = hub.relay(new FakeOutlet());
        round();
        assertEquals(2, hub.viewers());

        // When
        hub.left(one);
        hub.left(peer);
        round();
        assertTrue(inbox.wanted());
        assertEquals(Set.of(B), dialer.open.keySet());
        hub.left(two);
        hub.left(two);

        // Then
        assertFalse(inbox.wanted());
        assertEquals(0, hub.viewers());
        round();
        assertNull(pulse.round);
        assertEquals(Set.of(), dialer.open.keySet());
    }

    @Test
    void a_client_that_comes_when_all_have_left_is_served_as_the_first_one() {
        // Given
        hub.left(hub.watch(Set.of(), new FakeOutlet()));
        Runnable before = Objects.requireNonNull(pulse.round);

        // When
        FakeOutlet outlet = new FakeOutlet();
        hub.watch(Set.of(), outlet);
        Runnable current = Objects.requireNonNull(pulse.round);
        inbox.changed(window(AAA, 10, 1));
        before.run();
        current.run();

        // Then
        assertTrue(inbox.wanted());
        assertEquals(List.of("AAA 10000-1"), outlet.events());
    }

    // What clients get.

    @Test
    void all_clients_get_what_changed_and_a_new_one_begins_with_everything() {
        // Given
        FakeOutlet first = watch();
        round();
        inbox.changed(window(AAA, 10, 1));
        inbox.changed(window(BBB, 10, 1));
        round();
        assertEquals(Set.of("AAA 10000-1", "BBB 10000-1"), new HashSet<>(first.events()));

        // When
        inbox.changed(window(AAA, 10, 2));
        FakeOutlet second = watch();
        round();

        // Then
        assertEquals(List.of("AAA 10000-2"), first.events());
        assertEquals(Set.of("AAA 10000-2", "BBB 10000-1"), new HashSet<>(second.events()));
        round();
        assertEquals(List.of(), first.events());
        assertEquals(List.of(), second.events());
    }

    @Test
    void of_many_changes_between_two_rounds_the_last_is_sent() {
        FakeOutlet outlet = watch();
        round();

        for (int i = 1; i <= 100; i++) {
            inbox.changed(window(AAA, 10, i));
        }
        inbox.changed(finalWindow(AAA, 10, 100));
        round();

        assertEquals(List.of("AAA 10000-100-final"), outlet.events());
    }

    @Test
    void a_slow_client_delays_no_other() {
        // Given
        FakeOutlet stalled = watch();
        FakeOutlet full = watch();
        FakeOutlet quick = watch();
        round();
        stalled.stalled = true;
        full.full = true;

        for (int i = 1; i <= 1_000; i++) {
            // When
            inbox.changed(window(AAA, 10, i));
            round();

            // Then
            assertEquals(List.of("AAA 10000-" + i), quick.events());
            assertTrue(stalled.tasks.size() <= 2 + i / 20, () -> stalled.tasks.size() + " tasks");
        }
        assertEquals("", full.text());
    }

    @Test
    void a_failing_round_does_not_stop_the_next() {
        FakeOutlet outlet = watch();
        everything.refusal = new IllegalStateException("for this test");
        round();
        everything.refusal = null;

        inbox.changed(window(AAA, 10, 1));
        round();

        assertEquals(List.of("AAA 10000-1"), outlet.events());
    }

    // Snapshots.

    @Test
    void the_first_client_begins_with_a_snapshot() {
        FakeOutlet outlet = watch();
        round();

        everything.answer(true, window(AAA, 10, 1), window(BBB, 9, 3));
        round();

        assertEquals(Set.of("AAA 10000-1", "BBB 9000-3"), new HashSet<>(outlet.events()));
    }

    @Test
    void a_snapshot_tells_clients_only_what_they_missed() {
        // Given
        FakeOutlet outlet = watch();
        round();
        inbox.changed(window(AAA, 10, 2));
        inbox.changed(finalWindow(BBB, 10, 2));
        round();
        outlet.events();

        // When: behind in count, behind in being final, and one that was missed
        everything.answer(true, window(AAA, 10, 1), window(BBB, 10, 2), window(new Ticker("CCC"), 3, 1));
        round();

        // Then
        assertEquals(List.of("CCC 3000-1"), outlet.events());
    }

    @Test
    void an_update_that_is_older_than_what_is_known_is_dropped() {
        // Given
        FakeOutlet outlet = watch();
        inbox.changed(window(AAA, 10, 5));
        round();
        outlet.events();

        for (WindowStats older : List.of(window(AAA, 9, 7), window(AAA, 10, 4), window(AAA, 10, 5))) {
            // When
            inbox.changed(older);
            round();

            // Then
            assertEquals(List.of(), outlet.events());
        }
    }

    @Test
    void a_snapshot_is_taken_each_minute_and_when_partitions_have_moved() {
        // Given
        watch();
        round();
        everything.answer(true);
        round();
        assertEquals(1, everything.asked());

        // When, then
        pass(Duration.ofSeconds(58));
        assertEquals(1, everything.asked());
        pass(Duration.ofSeconds(2));
        assertEquals(2, everything.asked());
        everything.answer(true);
        round();
        peers = new Peers.View(Set.of(), 1);
        pass(Duration.ofSeconds(1));
        assertEquals(3, everything.asked());
    }

    @Test
    void a_snapshot_during_which_partitions_moved_is_followed_by_another() {
        // Given
        watch();
        round();

        // When
        peers = new Peers.View(Set.of(), 1);
        pass(Duration.ofSeconds(2));
        assertEquals(1, everything.asked());
        everything.answer(true);
        round();

        // Then
        assertEquals(2, everything.asked());
    }

    @Test
    void a_snapshot_that_failed_or_lacks_partitions_is_taken_again_less_and_less_often() {
        // Given
        watch();
        round();
        everything.answer(false, window(AAA, 10, 1));
        round();

        // When, then
        pass(Duration.ofSeconds(2));
        assertEquals(2, everything.asked());
        everything.fail();
        round();
        pass(Duration.ofSeconds(3));
        assertEquals(2, everything.asked());
        pass(Duration.ofSeconds(1));
        assertEquals(3, everything.asked());
        for (int i = 0; i < 10; i++) {
            everything.answer(false);
            pass(Duration.ofSeconds(33));
        }
        assertEquals(13, everything.asked());
    }

    @Test
    void a_snapshot_that_never_comes_is_not_waited_for() {
        watch();
        round();

        pass(Duration.ofSeconds(33));

        assertEquals(2, everything.asked());
    }

    @Test
    void a_ticker_that_a_complete_snapshot_has_no_more_is_forgotten() {
        // Given
        watch();
        inbox.changed(window(AAA, 10, 1));
        inbox.changed(window(BBB, 10, 1));
        round();
        everything.answer(false, window(AAA, 10, 1));
        pass(Duration.ofSeconds(3));
        assertEquals(Set.of("AAA 10000-1", "BBB 10000-1"), new HashSet<>(beginning()), "it was not complete");

        // When: CCC is new since the snapshot was begun
        inbox.changed(window(new Ticker("CCC"), 10, 1));
        round();
        everything.answer(true, window(AAA, 10, 1));
        round();

        // Then
        assertEquals(Set.of("AAA 10000-1", "CCC 10000-1"), new HashSet<>(beginning()));
    }

    // Other instances.

    @Test
    void what_other_instances_process_reaches_those_who_watch_and_no_instance() {
        // Given
        peers = new Peers.View(Set.of(B), 0);
        FakeOutlet viewer = watch();
        FakeOutlet instance = new FakeOutlet();
        hub.relay(instance);
        round();

        // When
        dialer.listener(B).window(window(AAA, 10, 1));
        inbox.changed(window(BBB, 10, 1));
        round();

        // Then
        assertEquals(Set.of("AAA 10000-1", "BBB 10000-1"), new HashSet<>(viewer.events()));
        assertEquals(List.of(window(BBB, 10, 1)), instance.frames());
    }

    @Test
    void for_another_instance_alone_no_instance_is_asked() {
        // Given
        peers = new Peers.View(Set.of(B), 0);
        FakeOutlet instance = new FakeOutlet();
        hub.relay(instance);

        // When
        round();
        local.answer(true, window(AAA, 10, 1));
        inbox.changed(window(BBB, 10, 1));
        round();

        // Then
        assertTrue(inbox.wanted());
        assertEquals(0, hub.viewers());
        assertEquals(Set.of(), dialer.open.keySet());
        assertEquals(0, everything.asked());
        assertEquals(Set.of(window(AAA, 10, 1), window(BBB, 10, 1)), new HashSet<>(instance.frames()));
    }

    @Test
    void an_instance_gets_its_part_even_where_those_who_watch_know_better() {
        // Given: a partition that moves: the ticker's old owner has told already
        peers = new Peers.View(Set.of(B), 0);
        watch();
        FakeOutlet instance = new FakeOutlet();
        hub.relay(instance);
        round();
        dialer.listener(B).window(window(AAA, 10, 2));
        round();

        // When
        inbox.changed(window(AAA, 10, 1));
        round();

        // Then
        assertEquals(List.of(window(AAA, 10, 1)), instance.frames());
    }

    @Test
    void connections_follow_the_instances_that_there_are() {
        // Given
        peers = new Peers.View(Set.of(B), 0);
        watch();
        round();
        assertEquals(Set.of(B), dialer.open.keySet());

        // When
        peers = new Peers.View(Set.of(C), 1);
        pass(Duration.ofSeconds(1));

        // Then
        assertEquals(Set.of(C), dialer.open.keySet());
        assertEquals(2, dialer.dialled);
    }

    @Test
    void a_connection_that_ends_is_made_again_with_growing_pauses() {
        // Given
        peers = new Peers.View(Set.of(B), 0);
        watch();
        round();

        // When: it is refused for a minute
        for (int i = 0; i < 600; i++) {
            dialer.refuseAll();
            round();
        }

        // Then
        assertTrue(dialer.dialled >= 60 / 4 && dialer.dialled <= 60 / 4 + 5, () -> dialer.dialled + " attempts");
        pass(Duration.ofSeconds(5));
        dialer.listener(B).heartbeat();
        int before = dialer.dialled;
        dialer.refuseAll();
        round();
        pass(Duration.ofMillis(400));
        assertEquals(before + 1, dialer.dialled, "one that was heard is called again soon");
    }

    // The end.

    @Test
    void closing_ends_every_stream_and_no_new_one_begins() {
        // Given
        FakeOutlet viewer = watch();
        FakeOutlet instance = new FakeOutlet();
        hub.relay(instance);
        round();

        // When
        hub.close();
        FakeOutlet late = watch();

        // Then
        assertTrue(hub.isClosed());
        assertTrue(viewer.ended);
        assertTrue(instance.ended);
        assertTrue(late.ended);
    }

    private FakeOutlet watch() {
        FakeOutlet outlet = new FakeOutlet();
        hub.watch(Set.of(), outlet);
        return outlet;
    }

    /** What a client that comes now begins with. */
    private List<String> beginning() {
        FakeOutlet outlet = watch();
        round();
        return outlet.events();
    }

    private void round() {
        pass(ROUND);
    }

    private void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= ROUND.toNanos()) {
            nanos += ROUND.toNanos();
            if (pulse.round != null) {
                pulse.round.run();
            }
        }
    }

    private static final class Pulse implements Rounds {
        @Nullable
        Runnable round;

        @Override
        public Running begin(Runnable begun) {
            round = begun;
            return () -> {
                if (round == begun) {
                    round = null;
                }
            };
        }
    }

    private static final class Snapshots implements SnapshotSource {
        private final List<CompletableFuture<Snapshot>> taken = new ArrayList<>();

        @Nullable
        RuntimeException refusal;

        @Override
        public CompletionStage<Snapshot> take() {
            if (refusal != null) {
                throw refusal;
            }
            CompletableFuture<Snapshot> next = new CompletableFuture<>();
            taken.add(next);
            return next;
        }

        int asked() {
            return taken.size();
        }

        void answer(boolean complete, WindowStats... windows) {
            assertTrue(last().complete(new Snapshot(List.of(windows), complete)));
        }

        void fail() {
            assertTrue(last().completeExceptionally(new IllegalStateException("for this test")));
        }

        private CompletableFuture<Snapshot> last() {
            return taken.get(taken.size() - 1);
        }
    }

    private static final class Dialer implements PeerDialer {
        final Map<InstanceAddress, Listener> open = new LinkedHashMap<>();
        int dialled;

        @Override
        public Connection dial(InstanceAddress peer, Listener listener) {
            assertNull(open.put(peer, listener), () -> "a second connection to " + peer);
            dialled++;
            return () -> open.remove(peer, listener);
        }

        Listener listener(InstanceAddress peer) {
            return Objects.requireNonNull(open.get(peer), peer::toString);
        }

        void refuseAll() {
            List<Listener> refused = List.copyOf(open.values());
            open.clear();
            refused.forEach(Listener::ended);
        }
    }
}
