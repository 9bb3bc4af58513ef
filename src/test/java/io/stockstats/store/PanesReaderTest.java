package io.stockstats.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PanesReaderTest {

    private static final Ticker MMM = new Ticker("MMM");
    private static final long RETENTION = PanesInMemory.RULES.retention();
    private static final Optional<Long> DEFAULT = Optional.empty();

    private final PanesInMemory panes = new PanesInMemory();

    // One ticker's latest window.

    @ParameterizedTest
    @CsvSource({"12345, 13000", "12000, 13000", "11999, 12000", "12999, 13000"})
    void the_latest_window_ends_at_the_first_boundary_after_the_newest_trade(long newest, long end) {
        panes.trade("MMM", newest, 10);

        WindowStats latest = panes.readAt(newest).latest(MMM, 5_000).orElseThrow();

        assertEquals(new Window(end - 5_000, end), latest.window());
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 2_000, 5_000, 7_000, 10_000, 60_000, 900_000})
    void the_latest_window_of_any_size_is_what_its_trades_tell(long size) {
        long newest = manyTrades(7);
        Window window = Window.endingAt(newest / 1_000 * 1_000 + 1_000, size);

        Optional<WindowStats> latest = panes.readAt(newest).latest(MMM, size);

        assertSame(
                panes.expected("MMM", window, newest).stream().toList(),
                latest.stream().toList());
    }

    @Test
    void a_ticker_is_not_taken_for_another_that_begins_like_it() {
        panes.trade("A", 1_000_000, 1).trade("AB", 1_000_000, 2).trade("A/B", 1_000_000, 3);

        PanesReader reader = panes.readAt(1_000_000);

        assertEquals(1, price(reader.latest(new Ticker("A"), 5_000)));
        assertEquals(2, price(reader.latest(new Ticker("AB"), 5_000)));
        assertEquals(3, price(reader.latest(new Ticker("A/B"), 5_000)));
        assertEquals(Optional.empty(), reader.latest(new Ticker("A/"), 5_000));
        assertEquals(Optional.empty(), reader.windows(new Ticker("A/"), query(DEFAULT, DEFAULT, 5_000, 10, false)));
    }

    @Test
    void a_window_is_final_from_the_millisecond_on_at_which_stream_time_is_its_end_plus_the_grace() {
        panes.trade("MMM", 12_345, 10);

        assertFalse(panes.readAt(13_000 + 30_000 - 1)
                .latest(MMM, 5_000)
                .orElseThrow()
                .isFinal());
        assertTrue(
                panes.readAt(13_000 + 30_000).latest(MMM, 5_000).orElseThrow().isFinal());
    }

    // Expiry.

    @ParameterizedTest
    @ValueSource(longs = {1_000, 5_000, 60_000, 900_000})
    void the_latest_window_is_gone_from_the_millisecond_on_at_which_it_expires(long size) {
        panes.trade("MMM", 2_012_345, 10);
        long end = 2_013_000;

        assertTrue(panes.readAt(end + RETENTION - 1).latest(MMM, size).isPresent());
        assertEquals(Optional.empty(), panes.readAt(end + RETENTION).latest(MMM, size));
        assertEquals(
                1,
                panes.readAt(end + RETENTION - 1)
                        .latestOfAll(Optional.empty(), 10, size)
                        .size());
        assertEquals(List.of(), panes.readAt(end + RETENTION).latestOfAll(Optional.empty(), 10, size));
    }

    @ParameterizedTest
    @CsvSource({"5000, false", "5000, true", "60000, false", "60000, true", "900000, false", "900000, true"})
    void windows_expire_one_by_one_and_the_ticker_with_the_last(long size, boolean descending) {
        panes.trade("MMM", 2_012_345, 10);
        long firstEnd = 2_013_000;
        long lastEnd = 2_012_000 + size;
        WindowQuery all = query(Optional.of(0L), DEFAULT, size, 1_000, descending);
        int count = (int) (size / 1_000);

        assertEquals(count, starts(panes.readAt(firstEnd + RETENTION - 1), all).size());
        assertEquals(count - 1, starts(panes.readAt(firstEnd + RETENTION), all).size());
        assertEquals(
                count - 1,
                starts(panes.readAt(firstEnd + 1_000 + RETENTION - 1), all).size());
        assertEquals(List.of(2_012_000L), starts(panes.readAt(lastEnd + RETENTION - 1), all));
        assertEquals(Optional.empty(), panes.readAt(lastEnd + RETENTION).windows(MMM, all));
    }

    // Many windows of one ticker.

    @ParameterizedTest
    @CsvSource({
        "1000, false", "1000, true", "2000, false", "2000, true", "5000, false", "5000, true",
        "7000, false", "7000, true", "60000, false", "60000, true", "900000, false", "900000, true"
    })
    void windows_of_any_size_are_what_their_trades_tell_across_gaps(long size, boolean descending) {
        for (int seed = 0; seed < 5; seed++) {
            PanesReaderTest each = new PanesReaderTest();
            long newest = each.manyTrades(seed);
            List<WindowStats> expected = each.panes.expected("MMM", 0, newest + 1, size, newest);

            WindowPage page = each.panes
                    .readAt(newest)
                    .windows(MMM, query(Optional.of(0L), DEFAULT, size, 10_000, descending))
                    .orElseThrow();

            assertSame(ordered(expected, descending), page.windows());
            assertEquals(Optional.empty(), page.next());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 5000, false",
        "1, 5000, true",
        "2, 1000, false",
        "2, 1000, true",
        "7, 60000, false",
        "7, 60000, true",
        "100, 5000, false",
        "100, 5000, true"
    })
    void pages_followed_to_the_end_hold_every_window_once(int limit, long size, boolean descending) {
        long newest = manyTrades(3);
        long first = newest - 300_000;
        List<WindowStats> expected = panes.expected("MMM", first, newest + 1, size, newest);
        List<WindowStats> paged = new ArrayList<>();
        Optional<Long> from = Optional.of(first);
        Optional<Long> to = Optional.of(newest + 1);

        Optional<Long> next;
        do {
            WindowPage page = panes.readAt(newest)
                    .windows(MMM, query(from, to, size, limit, descending))
                    .orElseThrow();
            assertTrue(page.windows().size() <= limit);
            assertEquals(page.next().isPresent(), paged.size() + page.windows().size() < expected.size());
            paged.addAll(page.windows());
            next = page.next();
            from = descending ? from : next;
            to = descending ? next : to;
        } while (next.isPresent());

        assertSame(ordered(expected, descending), paged);
    }

    @ParameterizedTest
    @CsvSource({
        "12000, 13000, 12000 12000",
        "11999, 13000, 12000 12000",
        "12001, 13001, 13000 13000",
        "12000, 13001, 12000 13000",
        "12000, 12001, 12000 12000",
        "12001, 13000, none",
        "12000, 12000, none",
        "14001, 99000, none",
        "0, 10000, none",
        "0, 10001, 10000 10000",
        "14000, 99000, 14000 14000"
    })
    void from_is_the_first_start_and_to_the_first_no_longer_asked_for(long from, long to, String firstAndLast) {
        panes.trade("MMM", 14_500, 10);

        for (boolean descending : new boolean[] {false, true}) {
            List<Long> starts = new ArrayList<>(
                    starts(panes.readAt(14_500), query(Optional.of(from), Optional.of(to), 5_000, 1_000, descending)));
            Collections.sort(starts);

            assertEquals(firstAndLast, starts.isEmpty() ? "none" : starts.get(0) + " " + starts.get(starts.size() - 1));
        }
    }

    @Test
    void without_from_and_to_the_minute_before_the_newest_trade_is_meant() {
        for (long time = 1_000_500; time <= 1_100_500; time += 1_000) {
            panes.trade("MMM", time, 10);
        }

        List<Long> starts = starts(panes.readAt(1_100_500), query(DEFAULT, DEFAULT, 5_000, 1_000, false));

        // [1,040,501 , 1,100,501)
        assertEquals(60, starts.size());
        assertEquals(1_041_000, starts.get(0));
        assertEquals(1_100_000, starts.get(59));
    }

    @Test
    void a_trade_at_a_boundary_begins_the_last_window_there_is() {
        panes.trade("MMM", 1_000_000, 10);

        assertEquals(
                List.of(1_000_000L, 999_000L, 998_000L, 997_000L, 996_000L),
                starts(panes.readAt(1_000_000), query(DEFAULT, DEFAULT, 5_000, 1_000, true)));
    }

    @Test
    void a_ticker_without_a_window_in_the_range_is_known_nevertheless() {
        panes.trade("MMM", 1_000_000, 10);

        assertEquals(
                Optional.of(new WindowPage(List.of(), Optional.empty())),
                panes.readAt(1_000_000)
                        .windows(MMM, query(Optional.of(500_000L), Optional.of(600_000L), 5_000, 10, false)));
    }

    @Test
    void the_largest_bounds_that_can_be_asked_for_overflow_nothing() {
        panes.trade("MMM", 1_000_000, 10);
        long latest = Long.MAX_VALUE / 1_000_000;

        assertEquals(
                5,
                starts(panes.readAt(1_000_000), query(Optional.of(0L), Optional.of(latest), 5_000, 10, false))
                        .size());
        assertEquals(
                List.of(),
                starts(panes.readAt(1_000_000), query(Optional.of(latest), Optional.of(latest), 5_000, 10, true)));
    }

    // Every ticker's latest window.

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 8, 100})
    void tickers_come_in_code_point_order_each_once_whatever_the_pages(int limit) {
        // In the order of chars the last two would change places: the last is a surrogate pair.
        List<String> ordered = List.of("A", "A/B", "AB", "B", "\u5E01", "\uFF21", "\uD835\uDD38");
        List<String> shuffled = new ArrayList<>(ordered);
        Collections.shuffle(shuffled, new Random(5));
        for (String symbol : shuffled) {
            panes.trade(symbol, 1_000_000, 1).trade(symbol, 1_003_000, 2);
        }
        List<String> seen = new ArrayList<>();
        Optional<Ticker> after = Optional.empty();

        List<WindowStats> page;
        do {
            page = panes.readAt(1_003_000).latestOfAll(after, limit, 5_000);
            assertTrue(page.size() <= limit);
            page.forEach(each -> seen.add(each.ticker().symbol()));
            after = page.isEmpty()
                    ? after
                    : Optional.of(page.get(page.size() - 1).ticker());
        } while (!page.isEmpty());

        assertEquals(ordered, seen);
    }

    @Test
    void tickers_begin_after_one_that_need_not_exist() {
        panes.trade("A", 1_000_000, 1).trade("B", 1_000_000, 2);

        assertEquals(
                List.of("B"),
                panes.readAt(1_000_000).latestOfAll(Optional.of(new Ticker("AZ")), 10, 5_000).stream()
                        .map(each -> each.ticker().symbol())
                        .toList());
    }

    @Test
    void expired_tickers_take_no_place_on_a_page() {
        panes.trade("A", 1_000_000, 1)
                .trade("B", 5_000_000, 2)
                .trade("C", 1_000_000, 3)
                .trade("D", 5_000_000, 4);

        assertEquals(
                List.of("B", "D"),
                panes.readAt(5_000_000).latestOfAll(Optional.empty(), 2, 5_000).stream()
                        .map(each -> each.ticker().symbol())
                        .toList());
    }

    /** Trades of MMM and of its neighbours over 20 minutes, with gaps and out of order; tells the newest of MMM. */
    private long manyTrades(int seed) {
        Random random = new Random(seed);
        long begin = 3_600_000;
        long newest = 0;
        for (int burst = 0; burst < 25; burst++) {
            long about = begin + random.nextInt(1_200_000);
            int count = 1 + random.nextInt(8);
            for (int i = 0; i < count; i++) {
                long time = about + random.nextInt(4_000);
                panes.trade("MMM", time, 1 + random.nextInt(100));
                newest = Math.max(newest, time);
            }
            panes.trade("MM", about, 1_000).trade("MMM.A", about, 1_000).trade("MMMM", about, 1_000);
        }
        return newest;
    }

    private static WindowQuery query(Optional<Long> from, Optional<Long> to, long size, int limit, boolean descending) {
        return new WindowQuery(from, to, size, limit, descending);
    }

    private static List<Long> starts(PanesReader reader, WindowQuery query) {
        return reader.windows(MMM, query).orElseThrow().windows().stream()
                .map(each -> each.window().start())
                .toList();
    }

    private static List<WindowStats> ordered(List<WindowStats> ascending, boolean descending) {
        List<WindowStats> ordered = new ArrayList<>(ascending);
        if (descending) {
            Collections.reverse(ordered);
        }
        return ordered;
    }

    private static double price(Optional<WindowStats> window) {
        return window.orElseThrow().stats().max();
    }

    private static void assertSame(List<WindowStats> expected, List<WindowStats> actual) {
        assertFalse(expected.isEmpty());
        assertEquals(
                expected.stream().map(PanesReaderTest::line).toList(),
                actual.stream().map(PanesReaderTest::line).toList());
    }

    /** Prices and sizes are small whole numbers, so that sums are exact in any order. */
    private static String line(WindowStats window) {
        PaneStats stats = window.stats();
        return String.join(
                " ",
                window.ticker().symbol(),
                window.window().toString(),
                Boolean.toString(window.isFinal()),
                Long.toString(stats.count()),
                Double.toString(stats.sum().hi()),
                Double.toString(stats.min()),
                Double.toString(stats.max()),
                Double.toString(stats.volume().hi()),
                Double.toString(stats.turnover().hi()),
                stats.first().toString(),
                stats.last().toString(),
                stats.type());
    }
}
