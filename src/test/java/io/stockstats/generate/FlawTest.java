package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.stockstats.trade.Decoded;
import io.stockstats.trade.Rejection;
import io.stockstats.trade.Rejection.Reason;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FlawTest {

    private static final Instant TIME = Instant.parse("2026-11-30T14:30:00.123456789Z");
    private static final Draft TRADE = Draft.of("MMM", "\"MMM\"", 500_125, 33, TIME);
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @Test
    void withoutAFlawItIsTheTradeOfTheContract() {
        GeneratedTrade record = TRADE.record();

        assertEquals("MMM", text(record.key()));
        assertEquals(
                "{\"type\":\"ASK\",\"ticker\":\"MMM\",\"price\":5001.25,\"size\":33,"
                        + "\"timestamp\":\"2026-11-30T14:30:00.123456789Z\"}",
                text(record.value()));
    }

    @Test
    void thereIsAFlawForEveryReason() {
        Set<Reason> reasons = Arrays.stream(Flaw.values()).map(Flaw::reason).collect(Collectors.toSet());

        assertEquals(EnumSet.allOf(Reason.class), reasons);
    }

    @ParameterizedTest
    @EnumSource(Flaw.class)
    void isRejectedForItsReason(Flaw flaw) {
        TradeDecoder decoder = new TradeDecoder(TradeFormat.STOCKSTATS, Clock.fixed(TIME, ZoneOffset.UTC));
        GeneratedTrade record = flaw.in(TRADE);

        Decoded decoded = decoder.decode(record.key(), record.value(), TIME.toEpochMilli());

        assertEquals(flaw.reason(), assertInstanceOf(Rejection.class, decoded).reason());
    }

    @ParameterizedTest
    @EnumSource(
            value = Flaw.class,
            names = {"EMPTY_VALUE", "TRUNCATED", "TRAILING_CONTENT"})
    void isNotJson(Flaw flaw) {
        GeneratedTrade record = flaw.in(TRADE);

        assertEquals("MMM", text(record.key()));
        assertTrue(isNotOneValue(record.value()));
    }

    @Test
    void isAbsentOrNoObject() throws JsonProcessingException {
        assertNull(Flaw.TOMBSTONE.in(TRADE).value());
        assertTrue(json(Flaw.NULL_LITERAL.in(TRADE)).isNull());
        assertTrue(json(Flaw.ARRAY.in(TRADE)).isArray());
    }

    @Test
    void isNotUtf8() {
        byte[] value = Flaw.INVALID_UTF8.in(TRADE).value();

        assertNotNull(value);
        assertThrows(
                CharacterCodingException.class,
                () -> StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value)));
        assertEquals(TRADE.json().length(), value.length);
    }

    @Test
    void hasNoTickerOrABadOne() throws JsonProcessingException {
        GeneratedTrade none = Flaw.NO_TICKER.in(TRADE);
        assertNull(none.key());
        assertTrue(json(none).path("ticker").isMissingNode());

        GeneratedTrade bad = Flaw.TICKER_WITH_SPACE.in(TRADE);
        String ticker = json(bad).get("ticker").textValue();
        assertEquals(text(bad.key()), ticker);
        assertNotEquals("", Ticker.faultIn(ticker));
    }

    @Test
    void hasAnotherKeyOrNone() {
        for (String symbol : new String[] {"MMM", "OTHER"}) {
            Draft trade = Draft.of(symbol, Draft.quoted(symbol), 1, 1, TIME);

            GeneratedTrade wrong = Flaw.WRONG_KEY.in(trade);
            assertNotEquals(symbol, text(wrong.key()));
            assertEquals("", Ticker.faultIn(text(wrong.key())));
            assertArrayEquals(trade.record().value(), wrong.value());

            GeneratedTrade none = Flaw.NO_KEY.in(trade);
            assertNull(none.key());
            assertArrayEquals(trade.record().value(), none.value());
        }
    }

    @Test
    void hasNoPriceOrABadOne() throws JsonProcessingException {
        assertTrue(json(Flaw.NO_PRICE.in(TRADE)).path("price").isMissingNode());
        assertTrue(json(Flaw.PRICE_IS_NULL.in(TRADE)).get("price").isNull());
        assertEquals(0, json(Flaw.ZERO_PRICE.in(TRADE)).get("price").doubleValue());
        assertEquals(-5001.25, json(Flaw.NEGATIVE_PRICE.in(TRADE)).get("price").doubleValue());
        assertTrue(
                Double.isInfinite(json(Flaw.HUGE_PRICE.in(TRADE)).get("price").doubleValue()));
        assertEquals("NaN", json(Flaw.PRICE_IS_TEXT.in(TRADE)).get("price").textValue());
    }

    @Test
    void hasABadSize() throws JsonProcessingException {
        assertEquals(-1, json(Flaw.NEGATIVE_SIZE.in(TRADE)).get("size").intValue());
        assertEquals("many", json(Flaw.SIZE_IS_TEXT.in(TRADE)).get("size").textValue());
    }

    @Test
    void hasABadTime() throws JsonProcessingException {
        assertEquals(
                "today", json(Flaw.TIMESTAMP_IS_TEXT.in(TRADE)).get("timestamp").textValue());
        assertTrue(time(Flaw.TIMESTAMP_TOO_EARLY).isBefore(Instant.parse("1990-01-01T00:00:00Z")));
        assertEquals(TIME.plus(Duration.ofDays(365)), time(Flaw.TIMESTAMP_IN_FUTURE));
    }

    private static Instant time(Flaw flaw) throws JsonProcessingException {
        return Instant.parse(json(flaw.in(TRADE)).get("timestamp").textValue());
    }

    private static boolean isNotOneValue(byte @Nullable [] value) {
        try {
            return JSON.readTree(value).isMissingNode();
        } catch (IOException e) {
            return true;
        }
    }

    private static JsonNode json(GeneratedTrade record) throws JsonProcessingException {
        return JSON.readTree(text(record.value()));
    }

    private static String text(byte @Nullable [] utf8) {
        return utf8 == null ? "none" : new String(utf8, StandardCharsets.UTF_8);
    }
}
