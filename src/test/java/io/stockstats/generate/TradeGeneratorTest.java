package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TradeGeneratorTest {

    private static final long SEED = 20261130;
    private static final Instant START = Instant.parse("2026-11-30T14:30:00.123456789Z");
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    @Test
    void theSameSeedAndInstantsGiveTheSameBytes() {
        GeneratorConfig config = TestConfig.defaults().lateShare(0.2).badShare(0.2);
        TradeGenerator one = new TradeGenerator(config, SEED);
        TradeGenerator other = new TradeGenerator(config, SEED);

        for (int i = 0; i < 10_000; i++) {
            GeneratedTrade a = one.next(at(i));
            GeneratedTrade b = other.next(at(i));
            assertArrayEquals(a.key(), b.key());
            assertArrayEquals(a.value(), b.value());
        }
    }

    @Test
    void aSeedMeansTheSameOnEveryMachineAndJdk() {
        TradeGenerator generator = new TradeGenerator(TestConfig.defaults(), SEED);

        GeneratedTrade first = generator.next(START);
        GeneratedTrade second = generator.next(START.plusMillis(100));

        assertEquals("AAP", text(first.key()));
        assertEquals(
                "{\"type\":\"ASK\",\"ticker\":\"AAP\",\"price\":5004.02,\"size\":45,"
                        + "\"timestamp\":\"2026-11-30T14:30:00.123456789Z\"}",
                text(first.value()));
        assertEquals(
                "{\"type\":\"ASK\",\"ticker\":\"ATVI\",\"price\":4995.93,\"size\":24,"
                        + "\"timestamp\":\"2026-11-30T14:30:00.223456789Z\"}",
                text(second.value()));
    }

    @Test
    void anotherSeedGivesOtherTrades() {
        List<String> one = values(new TradeGenerator(TestConfig.defaults(), SEED), 100);
        List<String> other = values(new TradeGenerator(TestConfig.defaults(), SEED + 1), 100);

        assertNotEquals(one, other);
    }

    @Test
    void everyTickerTradesOncePerRoundInChangingOrder() {
        GeneratorConfig config = TestConfig.defaults();
        TradeGenerator generator = new TradeGenerator(config, SEED);
        Set<List<String>> orders = new HashSet<>();

        for (int round = 0; round < 100; round++) {
            List<String> order = new ArrayList<>();
            for (int i = 0; i < config.tickers().size(); i++) {
                order.add(text(generator.next(START).key()));
            }
            assertEquals(Set.copyOf(config.tickers()), Set.copyOf(order));
            orders.add(order);
        }
        assertTrue(orders.size() > 90, "orders: " + orders.size());
    }

    @Test
    void aTradeHasTheFieldsThatADecoderReads() throws JsonProcessingException {
        TradeGenerator generator = new TradeGenerator(TestConfig.defaults(), SEED);

        for (int i = 0; i < 10_000; i++) {
            GeneratedTrade record = generator.next(at(i));

            JsonNode trade = json(record);
            assertEquals(List.of("type", "ticker", "price", "size", "timestamp"), names(trade));
            assertEquals("ASK", trade.get("type").textValue());
            assertEquals(text(record.key()), trade.get("ticker").textValue());
            assertTrue(trade.get("price").isNumber());
            assertTrue(trade.get("size").isIntegralNumber());
            assertEquals(at(i).toString(), trade.get("timestamp").textValue());
        }
    }

    @Test
    void tickersOfAnyKindMakeValidJson() throws JsonProcessingException {
        String[] tickers = {"BRK.B", "^GSPC", "BTC/USDT", "\u5e01\u5b89USDT", "a\"b\\c", "\ud83d\ude80"};
        TradeGenerator generator = new TradeGenerator(TestConfig.defaults().tickers(tickers), SEED);
        Set<String> seen = new HashSet<>();

        for (int i = 0; i < tickers.length; i++) {
            GeneratedTrade record = generator.next(START);
            String ticker = json(record).get("ticker").textValue();
            assertEquals(text(record.key()), ticker);
            seen.add(ticker);
        }
        assertEquals(Set.of(tickers), seen);
    }

    @Test
    void pricesWalkByAtMostAStepAndSizesStayInBounds() throws JsonProcessingException {
        GeneratorConfig config = TestConfig.defaults();
        TradeGenerator generator = new TradeGenerator(config, SEED);
        Map<String, BigDecimal> last = new HashMap<>();
        Set<Long> sizes = new HashSet<>();
        BigDecimal widest = BigDecimal.ZERO;

        for (int i = 0; i < 50_000; i++) {
            JsonNode trade = json(generator.next(START));
            String ticker = trade.get("ticker").textValue();
            BigDecimal price = trade.get("price").decimalValue();
            BigDecimal before = last.getOrDefault(ticker, new BigDecimal("5000"));
            last.put(ticker, price);
            widest = widest.max(price.subtract(before).abs());
            sizes.add(trade.get("size").longValue());
        }

        assertEquals(new BigDecimal("5.00"), widest);
        assertEquals(100, sizes.size());
        assertTrue(sizes.contains(0L) && sizes.contains(99L));
        assertEquals(10, new HashSet<>(last.values()).size(), "each ticker has a walk of its own");
    }

    @Test
    void pricesHaveTwoDecimals() {
        TradeGenerator generator = new TradeGenerator(TestConfig.defaults(), SEED);

        for (String value : values(generator, 10_000)) {
            assertTrue(value.matches(".*\"price\":[0-9]+\\.[0-9]{2},.*"), value);
        }
    }

    @Test
    void pricesTurnBackAtBothEndsOfTheirRange() throws JsonProcessingException {
        for (double start : new double[] {0.01, 1e12}) {
            for (double step : new double[] {0.05, 1e12}) {
                TradeGenerator generator = new TradeGenerator(
                        TestConfig.defaults().startPrice(start).step(step), SEED);
                for (int i = 0; i < 10_000; i++) {
                    BigDecimal price = json(generator.next(START)).get("price").decimalValue();
                    assertTrue(
                            price.compareTo(new BigDecimal("0.01")) >= 0
                                    && price.compareTo(new BigDecimal("1e12")) <= 0,
                            price.toString());
                }
            }
        }
    }

    @Test
    void withoutAStepPricesStandStill() {
        TradeGenerator generator =
                new TradeGenerator(TestConfig.defaults().startPrice(0.1).step(0), SEED);

        for (String value : values(generator, 100)) {
            assertTrue(value.contains("\"price\":0.10,"), value);
        }
    }

    @Test
    void theLateShareLiesBackByAtMostTheGivenTime() throws JsonProcessingException {
        Duration lateBy = Duration.ofSeconds(10);
        TradeGenerator generator =
                new TradeGenerator(TestConfig.defaults().lateShare(0.25).lateBy(lateBy), SEED);
        int late = 0;
        Duration latest = Duration.ZERO;
        Duration sum = Duration.ZERO;

        for (int i = 0; i < 40_000; i++) {
            Instant time =
                    Instant.parse(json(generator.next(at(i))).get("timestamp").textValue());
            Duration by = Duration.between(time, at(i));
            assertFalse(by.isNegative());
            if (!by.isZero()) {
                late++;
                latest = by.compareTo(latest) > 0 ? by : latest;
                sum = sum.plus(by);
            }
        }

        assertEquals(10_000, late, 300);
        assertTrue(latest.compareTo(lateBy) <= 0 && latest.compareTo(Duration.ofMillis(9_990)) > 0, latest.toString());
        assertEquals(5_000, sum.dividedBy(late).toMillis(), 100);
    }

    @Test
    void theBadShareIsNotTradesAndLeavesTheMarketAsItIs() {
        TradeGenerator good = new TradeGenerator(TestConfig.defaults(), SEED);
        TradeGenerator mixed = new TradeGenerator(TestConfig.defaults().badShare(0.1), SEED);
        int bad = 0;

        for (int i = 0; i < 20_000; i++) {
            String trade = text(good.next(at(i)).value());
            GeneratedTrade record = mixed.next(at(i));
            if (!trade.equals(text(record.value())) || !trade.contains("\"" + text(record.key()) + "\"")) {
                bad++;
            }
        }

        assertEquals(2_000, bad, 130);
    }

    @Test
    void aBadShareOfOneGivesEveryFlawAboutEquallyOften() {
        // Given a market whose every trade looks the same, so that a flaw can be told by its bytes
        GeneratorConfig config =
                TestConfig.defaults().tickers("MMM").step(0).maxSize(0).badShare(1);
        TradeGenerator generator = new TradeGenerator(config, SEED);
        Draft trade = Draft.of("MMM", "\"MMM\"", 500_000, 0, START);
        Map<String, Integer> seen = new HashMap<>();
        for (Flaw flaw : Flaw.values()) {
            seen.put(fingerprint(flaw.in(trade)), 0);
        }
        assertEquals(Flaw.values().length, seen.size());

        // When
        int each = 1_000;
        for (int i = 0; i < each * Flaw.values().length; i++) {
            seen.computeIfPresent(fingerprint(generator.next(START)), (flaw, count) -> count + 1);
        }

        // Then
        assertEquals(
                each * Flaw.values().length,
                seen.values().stream().mapToInt(Integer::intValue).sum(),
                "no record is without a flaw");
        seen.forEach((flaw, count) -> assertEquals(each, count, 150, flaw));
    }

    private static Instant at(int i) {
        return START.plusMillis(100L * i);
    }

    private static List<String> values(TradeGenerator generator, int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(text(generator.next(START).value()));
        }
        return values;
    }

    private static JsonNode json(GeneratedTrade record) throws JsonProcessingException {
        return JSON.readTree(text(record.value()));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static String fingerprint(GeneratedTrade record) {
        return bytes(record.key()) + " " + bytes(record.value());
    }

    private static String bytes(byte @Nullable [] bytes) {
        return bytes == null ? "none" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String text(byte @Nullable [] utf8) {
        return utf8 == null ? "none" : new String(utf8, StandardCharsets.UTF_8);
    }
}
