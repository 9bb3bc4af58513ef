package io.stockstats.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.query.Stale;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.WindowStatsJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WindowStatsViewTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NANOS = 1_764_512_995_004_000_000L;
    private static final Window WINDOW = new Window(1_764_512_995_000L, 1_764_513_000_000L);

    static Stream<WindowStats> windows() {
        return Stream.of(
                window("MMM", true, trade(5000.25, 33, "ASK", 0), trade(4999.5, 1.5, "ASK", 866_000_000)),
                window("MMM", false, trade(0.1, 0.1, "ASK", 0), trade(0.2, 0.2, "BID", 1)),
                window("\u5E01\uD835\uDD38\"\\/", false, trade(1, 0, null, 123_456_789)),
                window("BTC/USDT", true, trade(1e-18, 1e-18, null, 0), trade(1e18, 1e18, null, 5)),
                window("X", false, trade(2e23 / 1e10, 1, "\u00FC", 0), trade(1.0 / 3, 2.0 / 3, "\u00FC", 1)));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void an_answer_is_the_object_that_the_output_topic_gets_field_by_field(WindowStats window) throws IOException {
        JsonNode answer = JSON.readTree(JSON.writeValueAsBytes(WindowStatsView.of(window, Optional.empty())));
        JsonNode output = JSON.readTree(WindowStatsJson.bytes(window));

        assertEquals(names(output), names(answer));
        for (String name : names(output)) {
            assertEquals(output.get(name), answer.get(name), name);
        }
    }

    @Test
    void what_is_not_known_is_null_and_not_absent() throws IOException {
        WindowStats window = window("MMM", false, trade(1, 0, null, 0));

        JsonNode answer = JSON.readTree(JSON.writeValueAsBytes(WindowStatsView.of(window, Optional.empty())));

        assertTrue(answer.has("type") && answer.get("type").isNull());
        assertTrue(answer.has("vwap") && answer.get("vwap").isNull());
        assertFalse(answer.has("isFinal"));
    }

    @ParameterizedTest
    @MethodSource("lags")
    void a_copy_says_that_it_is_one_and_how_far_it_is_behind(OptionalLong lag, String expected) throws IOException {
        WindowStats window = window("MMM", false, trade(1, 0, null, 0));

        JsonNode answer =
                JSON.readTree(JSON.writeValueAsBytes(WindowStatsView.of(window, Optional.of(new Stale(lag)))));

        assertTrue(answer.get("stale").asBoolean());
        assertEquals(expected, answer.get("lag").toString());
    }

    static Stream<Arguments> lags() {
        return Stream.of(
                Arguments.of(OptionalLong.of(0), "0"),
                Arguments.of(OptionalLong.of(12), "12"),
                Arguments.of(OptionalLong.empty(), "null"));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Trade trade(double price, double size, @Nullable String type, long nanos) {
        return new Trade(new Ticker("MMM"), price, size, type, NANOS + nanos);
    }

    private static WindowStats window(String symbol, boolean isFinal, Trade first, Trade... more) {
        PaneStats stats = PaneStats.of(first, 0);
        for (int i = 0; i < more.length; i++) {
            stats = stats.plus(more[i], i + 1);
        }
        return new WindowStats(new Ticker(symbol), WINDOW, isFinal, stats);
    }
}
