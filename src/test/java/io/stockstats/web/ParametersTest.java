package io.stockstats.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.query.StatsQueries;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.WindowRules;
import io.stockstats.trade.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {

    private static final WindowRules RULES = new WindowRules(5_000, 1_000, 30_000, 900_000);
    /** The last millisecond that nanoseconds since the epoch can tell. */
    private static final long LATEST = 9_223_372_036_854L;

    // The ticker of a path.

    @ParameterizedTest
    @CsvSource({
        "MMM, MMM",
        "BTC%2FUSDT, BTC/USDT",
        "BTC%2fUSDT, BTC/USDT",
        "%5EGSPC, ^GSPC",
        "^GSPC, ^GSPC",
        "A+B, A+B",
        "A%2BB, A+B",
        "100%25, 100%",
        // Decoded once: this is the ticker %2F, not a slash.
        "%252F, %2F",
        "%E5%B8%81%E5%AE%89, 币安",
        "币安, 币安",
        "%F0%9D%94%B8, 𝔸",
        "𝔸, 𝔸"
    })
    void a_ticker_in_a_path_is_decoded_once(String encoded, String symbol) {
        assertEquals(new Ticker(symbol), Parameters.tickerOfPath(encoded));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%",
                "A%",
                "A%2",
                "%2G",
                "%G2",
                "% 2",
                "%+2",
                "%-1",
                "%u0041",
                "%%41",
                "%E5%B8",
                "%C0%AF",
                "%FF",
                "%ED%A0%80",
                "%F4%90%80%80",
                "%80"
            })
    void what_is_not_percent_encoded_UTF_8_is_refused(String encoded) {
        assertRefused("ticker", "must be percent-encoded UTF-8.", () -> Parameters.tickerOfPath(encoded));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A%20B", "A,B", "A%3BB", "%00", "%2E", "..", "%2E%2E", "A%0AB", "", "A%C2%A0B"})
    void what_is_decoded_must_be_a_ticker(String encoded) {
        assertRefused("ticker", "is not a ticker: it ", () -> Parameters.tickerOfPath(encoded));
    }

    @Test
    void a_ticker_has_at_most_64_code_points() {
        String longest = "%F0%9D%94%B8".repeat(64);

        assertEquals(128, Parameters.tickerOfPath(longest).symbol().length());
        assertRefused("ticker", "is longer than 64", () -> Parameters.tickerOfPath(longest + "A"));
    }

    // Tickers of a query.

    @Test
    void tickers_are_separated_by_commas_and_each_counts_once_in_order() {
        assertEquals(
                List.of(new Ticker("ABT"), new Ticker("BTC/USDT"), new Ticker("MMM")),
                List.copyOf(Parameters.tickers("MMM,ABT,MMM,BTC/USDT")));
        assertTrue(Parameters.tickers(null).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "A,", ",A", "A,,B", "A, B", "A;B", "."})
    void every_one_of_the_tickers_must_be_one(String text) {
        assertRefused("tickers", "is not a ticker: it ", () -> Parameters.tickers(text));
    }

    @Test
    void a_thousand_tickers_are_the_most() {
        String thousand = IntStream.range(0, 1_000).mapToObj(i -> "T" + i).collect(Collectors.joining(","));

        assertEquals(1_000, Parameters.tickers(thousand + ",T7").size());
        assertRefused("tickers", "at most 1000 tickers", () -> Parameters.tickers(thousand + ",T1000"));
    }

    @Test
    void after_is_a_ticker() {
        assertEquals(Optional.empty(), Parameters.after(null));
        assertEquals(Optional.of(new Ticker("A/B")), Parameters.after("A/B"));
        assertRefused("after", "is not a ticker: it is empty.", () -> Parameters.after(""));
        assertRefused("after", "is not a ticker: it ", () -> Parameters.after("A,B"));
    }

    // A window's size.

    @ParameterizedTest
    @CsvSource({"PT1S, 1000", "PT5S, 5000", "PT10S, 10000", "PT1M, 60000", "PT15M, 900000", "pt2s, 2000"})
    void any_multiple_of_the_advance_up_to_the_retention_is_a_size(String text, long millis) {
        assertEquals(millis, Parameters.window(text, RULES));
    }

    @Test
    void the_configured_size_is_the_default() {
        assertEquals(5_000, Parameters.window(null, RULES));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "5s",
                "PT",
                "PT0S",
                "PT-1S",
                "-PT5S",
                "PT1.5S",
                "PT0.001S",
                "PT5.0000001S",
                "PT15M1S",
                "PT16M",
                "P1D",
                "PT9223372036854775807S",
                "PT2562047788015215H",
                "P1M",
                "x"
            })
    void any_other_size_is_refused_with_what_would_do(String text) {
        assertRefused(
                "window",
                "must be an ISO-8601 duration such as PT1M, a multiple of PT1S up to PT15M.",
                () -> Parameters.window(text, RULES));
    }

    // Numbers.

    @Test
    void a_number_may_be_as_small_and_as_large_as_its_bounds() {
        assertEquals(100, Parameters.integer("limit", null, 100, 1, 1_000));
        assertEquals(1, Parameters.integer("limit", "1", 100, 1, 1_000));
        assertEquals(1_000, Parameters.integer("limit", "1000", 100, 1, 1_000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "1001", "-1", "", " 1", "1.0", "1e2", "0x10", "2147483648", "99999999999999999999", "x"})
    void any_other_number_is_refused_with_its_bounds(String text) {
        assertRefused(
                "limit",
                "must be a whole number from 1 to 1000.",
                () -> Parameters.integer("limit", text, 100, 1, 1_000));
    }

    // Points in time.

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1764513000000, 1764513000000",
        "9223372036854, 9223372036854",
        "1970-01-01T00:00:00Z, 0",
        "2025-11-30T14:30:00Z, 1764513000000",
        "2025-11-30T15:30:00+01:00, 1764513000000",
        "2025-11-30T14:30Z, 1764513000000",
        "2025-11-30T14:30:00.123Z, 1764513000123"
    })
    void a_time_is_epoch_milliseconds_or_ISO_8601(String text, long millis) {
        assertEquals(Optional.of(millis), Parameters.time("from", text));
    }

    @Test
    void no_time_is_none() {
        assertEquals(Optional.empty(), Parameters.time("from", null));
    }

    @ParameterizedTest
    @CsvSource({
        "2025-11-30T14:30:00.123000001Z, 1764513000124",
        "2025-11-30T14:30:00.000000001Z, 1764513000001",
        "2025-11-30T14:30:00.999999999Z, 1764513001000"
    })
    void the_first_millisecond_that_is_not_before_a_time_stands_for_it(String text, long millis) {
        // Windows start on milliseconds, so that this changes neither what is at or after from nor what is before to.
        assertEquals(Optional.of(millis), Parameters.time("to", text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "2025-11-30",
                "2025-11-30T14:30:00",
                "2025-11-30T14:30:00 01:00",
                "1.5",
                "1e12",
                "2025-13-30T14:30:00Z",
                "99999999999999999999",
                "+999999999-12-31T23:59:59Z"
            })
    void any_other_time_is_refused_with_what_would_do(String text) {
        assertRefused(
                "to",
                "must be epoch milliseconds, or ISO-8601 with an offset such as 1970-01-01T00:00:00Z (write + as %2B).",
                () -> Parameters.time("to", text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1", "9223372036855", "9223372036854775807", "1969-12-31T23:59:59.999Z", "2262-04-12T00:00:00Z"
            })
    void a_time_that_no_event_can_have_is_refused(String text) {
        assertRefused(
                "from", "must be from 0 to " + LATEST + " epoch milliseconds.", () -> Parameters.time("from", text));
    }

    // The order.

    @Test
    void the_order_is_the_path_s_own_unless_another_is_asked_for() {
        assertFalse(Parameters.descending(null, false));
        assertTrue(Parameters.descending(null, true));
        assertFalse(Parameters.descending("asc", true));
        assertTrue(Parameters.descending("desc", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ASC", "descending", "desc "})
    void any_other_order_is_refused(String text) {
        assertRefused("order", "must be asc or desc.", () -> Parameters.descending(text, true));
    }

    // Whose answer is good enough.

    @Test
    void a_copy_may_answer_unless_the_owner_is_asked_for() {
        assertEquals(StatsQueries.Consistency.ANY, Parameters.consistency(null));
        assertEquals(StatsQueries.Consistency.ANY, Parameters.consistency("any"));
        assertEquals(StatsQueries.Consistency.STRICT, Parameters.consistency("strict"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "STRICT", "eventual", "strict "})
    void any_other_consistency_is_refused(String text) {
        assertRefused("consistency", "must be any or strict.", () -> Parameters.consistency(text));
    }

    // The figure to order by.

    @Test
    void tickers_are_ordered_by_volume_unless_another_figure_is_asked_for() {
        assertEquals(Ranking.By.VOLUME, Parameters.rankedBy(null));
        for (Ranking.By by : Ranking.By.values()) {
            assertEquals(by, Parameters.rankedBy(by.label()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "VOLUME", "price", "volume,vwap"})
    void any_other_figure_is_refused(String text) {
        assertRefused(
                "by",
                "must be one of volume, minPrice, maxPrice, avgPrice, vwap, turnover, countTrades, changePercent.",
                () -> Parameters.rankedBy(text));
    }

    private static void assertRefused(String parameter, String rule, Executable call) {
        Problem problem = assertThrows(ProblemException.class, call).problem();

        assertEquals(400, problem.status());
        assertEquals(parameter, problem.parameter());
        assertTrue(problem.detail().startsWith(parameter + " "), problem.detail());
        assertTrue(problem.detail().contains(rule), problem.detail());
    }
}
