package io.stockstats.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class WindowStatsJsonTest {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Window WINDOW = new Window(1_764_512_995_000L, 1_764_513_000_000L);
    private static final long SECOND = 1_000_000_000;
    private static final long NANOS = WINDOW.start() * 1_000_000;

    @Example
    void aWindowIsWrittenFieldByField() {
        // Given
        PaneStats stats = PaneStats.of(trade("ASK", 5000.5, 2, NANOS + 4_000_000), 1)
                .plus(trade("ASK", 4999.5, 1.5, NANOS + SECOND), 2)
                .plus(trade("ASK", 5003, 0, NANOS + 4 * SECOND + 870_000_001), 3);

        // When
        String json = json(new WindowStats(new Ticker("MMM"), WINDOW, false, stats));

        // Then
        assertEquals(
                "{\"ticker\":\"MMM\",\"type\":\"ASK\",\"windowStart\":1764512995000,\"windowEnd\":1764513000000,"
                        + "\"final\":false,\"countTrades\":3,\"sumPrice\":15003.0,\"minPrice\":4999.5,"
                        + "\"maxPrice\":5003.0,\"avgPrice\":5001.0,\"openPrice\":5000.5,\"closePrice\":5003.0,"
                        + "\"volume\":3.5,\"turnover\":17500.25,\"vwap\":5000.071428571428,"
                        + "\"firstTradeAt\":\"2025-11-30T14:29:55.004Z\","
                        + "\"lastTradeAt\":\"2025-11-30T14:29:59.870000001Z\"}",
                json);
    }

    @Example
    void whatDoesNotExistIsNull() throws IOException {
        // Given
        PaneStats stats = PaneStats.of(trade("ASK", 2, 0, NANOS), 1).plus(trade("BID", 4, 0, NANOS), 2);

        // When
        JsonNode json = MAPPER.readTree(json(new WindowStats(new Ticker("MMM"), WINDOW, true, stats)));

        // Then
        assertTrue(json.get("type").isNull());
        assertTrue(json.get("vwap").isNull());
        assertTrue(json.get("final").booleanValue());
        assertEquals(0, json.get("volume").doubleValue());
        assertEquals("2025-11-30T14:29:55Z", json.get("firstTradeAt").textValue());
    }

    @Example
    void charactersThatJsonEscapesSurvive() throws IOException {
        // Given
        Ticker ticker = new Ticker("\"\\/<é𝒳");
        PaneStats stats = PaneStats.of(trade("\u0001\"\n😀", 2, 0, NANOS), 1);

        // When
        JsonNode json = MAPPER.readTree(json(new WindowStats(ticker, WINDOW, true, stats)));

        // Then
        assertEquals(ticker.symbol(), json.get("ticker").textValue());
        assertEquals("\u0001\"\n😀", json.get("type").textValue());
    }

    @Property
    void everyNumberIsFiniteAndReadBackAsItWas(@ForAll("numbers") double price, @ForAll("numbers") double size)
            throws IOException {
        // Given
        PaneStats stats = PaneStats.of(trade("ASK", price, size, NANOS), 1).plus(trade("ASK", size, price, NANOS), 2);

        // When
        String text = json(new WindowStats(new Ticker("MMM"), WINDOW, true, stats));
        JsonNode json = MAPPER.readTree(text);

        // Then
        assertFalse(text.contains("NaN") || text.contains("Infinity"), text);
        List<String> names = new ArrayList<>();
        json.fieldNames().forEachRemaining(names::add);
        assertEquals(
                List.of(
                        "ticker",
                        "type",
                        "windowStart",
                        "windowEnd",
                        "final",
                        "countTrades",
                        "sumPrice",
                        "minPrice",
                        "maxPrice",
                        "avgPrice",
                        "openPrice",
                        "closePrice",
                        "volume",
                        "turnover",
                        "vwap",
                        "firstTradeAt",
                        "lastTradeAt"),
                names);
        assertNumber(stats.sum().hi(), json, "sumPrice");
        assertNumber(stats.min(), json, "minPrice");
        assertNumber(stats.max(), json, "maxPrice");
        assertNumber(stats.average(), json, "avgPrice");
        assertNumber(price, json, "openPrice");
        assertNumber(size, json, "closePrice");
        assertNumber(stats.volume().hi(), json, "volume");
        assertNumber(stats.turnover().hi(), json, "turnover");
        assertNumber(stats.vwap(), json, "vwap");
    }

    @Provide
    Arbitrary<Double> numbers() {
        return Arbitraries.bigDecimals()
                .between(new BigDecimal("1e-18"), new BigDecimal("1e18"))
                .ofScale(18)
                .map(BigDecimal::doubleValue);
    }

    private static void assertNumber(double expected, JsonNode json, String field) {
        assertTrue(json.get(field).isNumber(), field);
        assertEquals(expected, json.get(field).doubleValue(), field);
    }

    private static Trade trade(String type, double price, double size, long nanos) {
        return new Trade(new Ticker("MMM"), price, size, type, nanos);
    }

    private static String json(WindowStats window) {
        return new String(WindowStatsJson.bytes(window), UTF_8);
    }
}
