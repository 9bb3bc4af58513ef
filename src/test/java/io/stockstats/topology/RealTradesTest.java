package io.stockstats.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.stats.ExactStats;
import io.stockstats.topology.StreamUnderTest.WindowId;
import io.stockstats.topology.StreamUnderTest.Written;
import io.stockstats.wire.TimestampUnit;
import io.stockstats.wire.TradeFields;
import io.stockstats.wire.TradeFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every window of recorded trades, held against exact decimal arithmetic. */
class RealTradesTest {

    private static final Duration GRACE = Duration.ofSeconds(30);

    /** One recorded trade, its numbers as they were recorded. */
    private record Recorded(
            String ticker,
            String price,
            String size,
            @Nullable String type,
            long time) {}

    @Test
    void everyWindowOfFourThousandBitstampTradesIsExact() throws IOException {
        // Given: trades by the second, with sizes of 0 and long gaps
        List<Recorded> trades = new ArrayList<>();
        for (String line : lines("bitstamp_btcusd_20131125.csv").subList(1, 4_001)) {
            String[] columns = line.split(",", -1);
            trades.add(new Recorded(columns[3], columns[4], columns[5], null, Long.parseLong(columns[2])));
        }
        assertTrue(trades.stream().anyMatch(trade -> new BigDecimal(trade.size()).signum() == 0));

        // When, Then
        assertEveryWindowIsExact(trades, TimestampUnit.NS, 1_000_000, false);
    }

    @Test
    void everyWindowOfAMinuteOfBinanceTradesIsExact() throws IOException {
        // Given: bursts within one millisecond
        List<Recorded> trades = new ArrayList<>();
        for (String line : lines("binance_spot_btcusdt_trade_frames_60s.jsonl")) {
            JsonNode data = new ObjectMapper().readTree(line).at("/frame/data");
            trades.add(new Recorded(
                    data.get("s").textValue(),
                    data.get("p").textValue(),
                    data.get("q").textValue(),
                    data.get("m").booleanValue() ? "SELL" : "BUY",
                    data.get("T").longValue()));
        }
        assertEquals(1_940, trades.size());

        // When, Then
        assertEveryWindowIsExact(trades, TimestampUnit.MS, 1, true);
    }

    private static void assertEveryWindowIsExact(
            List<Recorded> trades, TimestampUnit unit, long perMilli, boolean rekey) {
        // Given: each trade in the windows that hold it, unless it is late
        Map<WindowId, List<Recorded>> expected = new HashMap<>();
        long streamTime = Long.MIN_VALUE;
        int late = 0;
        for (Recorded trade : trades) {
            long millis = Math.floorDiv(trade.time(), perMilli);
            streamTime = Math.max(streamTime, millis);
            long latest = Math.floorDiv(millis, 1_000) * 1_000;
            if (latest + 1_000 + GRACE.toMillis() <= streamTime) {
                late++;
                continue;
            }
            for (long start = latest - 4_000; start <= latest; start += 1_000) {
                expected.computeIfAbsent(new WindowId(trade.ticker(), start), id -> new ArrayList<>())
                        .add(trade);
            }
        }
        TradeFormat format = new TradeFormat(
                TradeFields.STOCKSTATS,
                unit,
                Set.of(),
                rekey,
                TradeFormat.STOCKSTATS.earliest(),
                TradeFormat.STOCKSTATS.maxFuture());
        SettingsBuilder settings = new SettingsBuilder();
        if (rekey) {
            settings.rekey();
        }

        // When
        List<Written> written = new ArrayList<>();
        try (StreamUnderTest stream =
                new StreamUnderTest(settings.build(), format, Instant.parse("2026-11-30T14:30:00Z"))) {
            for (int i = 0; i < trades.size(); i++) {
                Recorded trade = trades.get(i);
                stream.trade(trade.ticker(), trade.price(), trade.size(), trade.type(), Long.toString(trade.time()));
                if (i % 7 == 0) {
                    stream.advance(Duration.ofMillis(70));
                }
            }
            long end = trades.stream().mapToLong(Recorded::time).max().orElseThrow() + 3_600_000 * perMilli;
            stream.trade("END", "1", "1", null, Long.toString(end));
            written.addAll(stream.written());
            assertEquals(0, stream.rejected().size());
            assertEquals(late, stream.count("stockstats.trades.late"));
            assertEquals(trades.size() + 1 - late, stream.count("stockstats.trades"));
        }

        // Then
        Map<WindowId, Written> actual = new LinkedHashMap<>(StreamUnderTest.lastOf(written));
        actual.keySet().removeIf(window -> window.ticker().equals("END"));
        assertEquals(expected.keySet(), actual.keySet());
        assertTrue(expected.size() > 60, () -> "only " + expected.size() + " windows");
        expected.forEach((id, window) -> assertExact(id, window, StreamUnderTest.window(actual, id)));
        assertTrue(written.stream().anyMatch(each -> !each.isFinal()), "updates must be part of this test");
    }

    private static void assertExact(WindowId id, List<Recorded> trades, Written actual) {
        assertTrue(actual.isFinal(), id::toString);
        assertEquals(trades.size(), actual.count(), id::toString);
        List<BigDecimal> prices =
                trades.stream().map(trade -> new BigDecimal(trade.price())).toList();
        Comparator<Recorded> byTime = Comparator.comparingLong(Recorded::time);
        Recorded open = trades.stream().min(byTime).orElseThrow();
        Recorded close =
                trades.stream().reduce((a, b) -> b.time() >= a.time() ? b : a).orElseThrow();
        double min =
                prices.stream().min(Comparator.naturalOrder()).orElseThrow().doubleValue();
        double max =
                prices.stream().max(Comparator.naturalOrder()).orElseThrow().doubleValue();
        assertEquals(min, actual.number("minPrice"), id::toString);
        assertEquals(max, actual.number("maxPrice"), id::toString);
        assertEquals(Double.parseDouble(open.price()), actual.number("openPrice"), id::toString);
        assertEquals(Double.parseDouble(close.price()), actual.number("closePrice"), id::toString);
        boolean agree = trades.stream().allMatch(t -> Objects.equals(t.type(), open.type()));
        assertEquals(agree ? open.type() : null, actual.stats().get("type").textValue(), id::toString);

        BigDecimal sum = prices.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal volume = trades.stream().map(t -> new BigDecimal(t.size())).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal turnover = trades.stream()
                .map(t -> new BigDecimal(t.price()).multiply(new BigDecimal(t.size())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        ExactStats.assertClose(sum, actual.number("sumPrice"), id + " sumPrice");
        ExactStats.assertClose(volume, actual.number("volume"), id + " volume");
        ExactStats.assertClose(turnover, actual.number("turnover"), id + " turnover");
        ExactStats.assertClose(
                sum.divide(BigDecimal.valueOf(trades.size()), MathContext.DECIMAL128),
                actual.number("avgPrice"),
                id + " avgPrice");
        assertTrue(min <= actual.number("avgPrice") && actual.number("avgPrice") <= max, id::toString);
        if (volume.signum() == 0) {
            assertTrue(actual.stats().get("vwap").isNull(), id::toString);
        } else {
            ExactStats.assertClose(
                    turnover.divide(volume, MathContext.DECIMAL128), actual.number("vwap"), id + " vwap");
            assertTrue(min <= actual.number("vwap") && actual.number("vwap") <= max, id::toString);
        }
    }

    private static List<String> lines(String fixture) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(RealTradesTest.class.getResourceAsStream("/fixtures/" + fixture)), UTF_8))) {
            return reader.lines().toList();
        }
    }
}
