package io.stockstats.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TradeSerdeTest {

    private static final String TOPIC = "stockstats-by-ticker-repartition";

    static Stream<Trade> trades() {
        return Stream.of(
                new Trade(new Ticker("A"), 1e-18, 0, null, 0),
                new Trade(new Ticker("BTC/USDT"), 1e18, 1e18, "ASK", Long.MAX_VALUE),
                new Trade(new Ticker("币安人生USDT"), 0.1, 0.2, "", 1_700_000_000_123_456_789L),
                new Trade(new Ticker("𝒳".repeat(64)), 0.1, 0.2, "😀".repeat(32), 1));
    }

    @ParameterizedTest
    @MethodSource("trades")
    void aTradeIsReadAsItWasWritten(Trade trade) {
        // Given
        byte[] bytes = TradeSerde.trade().serializer().serialize(TOPIC, trade);

        // When
        Trade read = TradeSerde.trade().deserializer().deserialize(TOPIC, bytes);

        // Then
        assertEquals(trade, read);
    }

    @ParameterizedTest
    @MethodSource("trades")
    void theKeyIsTheTickersUtf8(Trade trade) {
        // When
        byte[] bytes = TradeSerde.ticker().serializer().serialize(TOPIC, trade.ticker());

        // Then
        assertArrayEquals(trade.ticker().symbol().getBytes(UTF_8), bytes);
        assertEquals(trade.ticker(), TradeSerde.ticker().deserializer().deserialize(TOPIC, bytes));
    }

    @Test
    void aTradeOfAFutureVersionIsRefusedRatherThanMisread() {
        // Given
        byte[] bytes = TradeSerde.trade().serializer().serialize(TOPIC, new Trade(new Ticker("A"), 1, 2, null, 3));
        bytes[0] = 2;

        // When
        UnknownFormatException refused = assertThrows(
                UnknownFormatException.class,
                () -> TradeSerde.trade().deserializer().deserialize(TOPIC, bytes));

        // Then
        assertTrue(refused.toString().contains("not of format version 1"), refused::toString);
    }
}
