package io.stockstats.live;

import static io.stockstats.live.Windows.AAA;
import static io.stockstats.live.Windows.BBB;
import static io.stockstats.live.Windows.window;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.WindowStatsJson;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LiveClientTest {

    private static final Duration BEAT = Duration.ofSeconds(2);

    private final FakeOutlet outlet = new FakeOutlet();
    private long nanos;

    @Test
    void an_event_is_the_windows_JSON_with_name_and_id() throws IOException {
        WindowStats window = Windows.finalWindow(AAA, 1_764_513_000, 2);

        viewer().offer(batch(window));

        String[] lines = outlet.text().split("\n", -1);
        assertEquals("event: stats", lines[0]);
        assertEquals("id: 1764513000000-2-final", lines[1]);
        assertTrue(lines[2].startsWith("data: {"), lines[2]);
        ObjectMapper json = new ObjectMapper();
        assertEquals(json.readTree(WindowStatsJson.bytes(window)), json.readTree(lines[2].substring(6)));
        assertEquals(List.of("", ""), List.of(lines).subList(3, 5));
        assertEquals(5, lines.length);
    }

    @Test
    void an_event_is_encoded_once_for_all_clients() {
        LiveEvent event = new LiveEvent(window(AAA, 10, 1), 0);

        assertTrue(event.serverSentEvent() == event.serverSentEvent());
        assertTrue(event.frame() == event.frame());
    }

    @Test
    void a_slow_client_gets_the_newest_of_each_ticker_once_it_takes_more() {
        // Given
        outlet.full = true;
        LiveClient client = viewer();

        // When
        for (int i = 1; i <= 1_000; i++) {
            client.offer(batch(window(AAA, 10 + i, 1), window(BBB, 10, i)));
        }
        assertEquals("", outlet.text());
        outlet.full = false;
        client.drained();

        // Then
        assertEquals(new TreeSet<>(Set.of("AAA 1010000-1", "BBB 10000-1000")), new TreeSet<>(outlet.events()));
    }

    @Test
    void a_client_whose_thread_does_not_run_holds_one_task_and_the_newest_of_each_ticker() {
        // Given
        outlet.stalled = true;
        LiveClient client = viewer();

        // When
        for (int i = 1; i <= 1_000; i++) {
            client.offer(batch(window(AAA, 10 + i, 1)));
            client.offer(batch(window(BBB, 10, i)));
        }

        // Then
        assertEquals(1, outlet.tasks.size());
        outlet.runTasks();
        assertEquals(new TreeSet<>(Set.of("AAA 1010000-1", "BBB 10000-1000")), new TreeSet<>(outlet.events()));
    }

    @Test
    void what_does_not_fit_goes_on_where_it_stopped_and_nothing_twice() {
        // Given: more than one piece
        Map<Ticker, LiveEvent> batch = new HashMap<>();
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 500; i++) {
            Ticker ticker = new Ticker("T" + i);
            batch.put(ticker, new LiveEvent(window(ticker, 10, 1), 0));
            expected.add(ticker + " 10000-1");
        }
        outlet.takes = 1;
        LiveClient client = viewer();

        // When
        client.offer(batch);
        List<String> first = outlet.events();
        outlet.takes = Integer.MAX_VALUE;
        outlet.full = false;
        client.drained();
        List<String> rest = outlet.events();

        // Then
        assertTrue(first.size() > 10 && first.size() < 200, () -> "one piece of " + first.size());
        assertEquals(500, first.size() + rest.size());
        Set<String> all = new TreeSet<>(first);
        all.addAll(rest);
        assertEquals(expected, all);
    }

    @Test
    void an_older_event_does_not_take_a_newer_ones_place() {
        // Given
        outlet.full = true;
        LiveClient client = viewer();

        // When
        client.offer(batch(window(AAA, 11, 1)));
        client.offer(batch(window(AAA, 10, 7)));
        outlet.full = false;
        client.drained();

        // Then
        assertEquals(List.of("AAA 11000-1"), outlet.events());
    }

    @Test
    void only_the_tickers_that_were_asked_for_are_sent() {
        LiveClient client = new LiveClient(LiveClient.Kind.VIEWER, Set.of(BBB, new Ticker("CCC")), outlet, () -> nanos);

        client.offer(batch(window(AAA, 10, 1)));
        client.offer(batch(window(AAA, 10, 2), window(BBB, 10, 1), window(new Ticker("DDD"), 10, 1)));

        assertEquals(List.of("BBB 10000-1"), outlet.events());
    }

    @Test
    void a_quiet_client_hears_a_comment_before_15_seconds_have_passed() {
        // Given
        LiveClient client = viewer();
        Duration quiet = Duration.ZERO;

        // When, then: over two minutes
        for (int beat = 0; beat < 60; beat++) {
            pass(BEAT);
            quiet = quiet.plus(BEAT);
            client.beat();
            if (outlet.text().equals(":\n\n")) {
                quiet = Duration.ZERO;
            }
            assertTrue(quiet.compareTo(Duration.ofSeconds(13)) < 0, quiet::toString);
        }
    }

    @Test
    void a_client_that_hears_enough_hears_no_comments() {
        // Given
        LiveClient client = viewer();

        for (int i = 1; i < 30; i++) {
            // When
            pass(BEAT);
            client.offer(batch(window(AAA, 10, i)));
            client.beat();

            // Then
            assertEquals(1, outlet.text().split("\n\n").length);
        }
    }

    @Test
    void a_client_that_takes_nothing_for_a_minute_is_cut_off() {
        // Given
        LiveClient client = viewer();
        outlet.full = true;
        client.offer(batch(window(AAA, 10, 1)));

        // When
        for (int beat = 0; beat < 29; beat++) {
            pass(BEAT);
            client.beat();
        }
        assertFalse(outlet.dropped);
        pass(BEAT);
        client.beat();

        // Then
        assertTrue(outlet.dropped);
        assertTrue(client.isClosed());
        assertEquals("", outlet.text());
    }

    @Test
    void a_client_that_takes_a_little_now_and_then_stays() {
        // Given
        LiveClient client = viewer();

        // When
        for (int i = 1; i <= 10; i++) {
            outlet.full = true;
            client.offer(batch(window(AAA, 10, i)));
            for (int beat = 0; beat < 25; beat++) {
                pass(BEAT);
                client.beat();
            }
            outlet.full = false;
            client.drained();
        }

        // Then
        assertFalse(outlet.dropped);
        assertEquals(10, outlet.events().size());
    }

    @Test
    void nothing_is_written_to_a_client_that_is_gone_or_was_ended() {
        // Given
        LiveClient gone = viewer();
        FakeOutlet other = new FakeOutlet();
        LiveClient ended = new LiveClient(LiveClient.Kind.VIEWER, Set.of(), other, () -> nanos);

        // When
        gone.gone();
        ended.end();
        pass(Duration.ofMinutes(5));
        for (LiveClient client : List.of(gone, ended)) {
            client.offer(batch(window(AAA, 10, 1)));
            client.beat();
            client.drained();
            client.end();
        }

        // Then
        assertEquals("", outlet.text());
        assertFalse(outlet.ended);
        assertEquals("", other.text());
        assertTrue(other.ended);
    }

    private LiveClient viewer() {
        return new LiveClient(LiveClient.Kind.VIEWER, Set.of(), outlet, () -> nanos);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private static Map<Ticker, LiveEvent> batch(WindowStats... windows) {
        Map<Ticker, LiveEvent> batch = new HashMap<>();
        for (WindowStats window : windows) {
            batch.put(window.ticker(), new LiveEvent(window, 0));
        }
        return batch;
    }
}
