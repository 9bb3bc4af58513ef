package io.stockstats.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.trade.Ticker;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.kstream.TimeWindowedDeserializer;
import org.apache.kafka.streams.kstream.TimeWindowedSerializer;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.TimeWindow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowKeyTest {

    @ParameterizedTest
    @CsvSource({"MMM,1764512995000", "BTC/USDT,0", "币安人生USDT,1764512995000", "𝒳,253402300799000"})
    void kafkasOwnDeserializerReadsIt(String symbol, long start) {
        // Given
        byte[] bytes = new WindowKey(new Ticker(symbol), start).bytes();

        // When
        Windowed<String> read;
        try (var deserializer = new TimeWindowedDeserializer<>(new StringDeserializer(), 5_000L)) {
            read = deserializer.deserialize("stockstats-output", bytes);
        }

        // Then
        assertEquals(new Windowed<>(symbol, new TimeWindow(start, start + 5_000)), read);
    }

    @ParameterizedTest
    @CsvSource({"MMM,1764512995000", "币安人生USDT,0"})
    void kafkasOwnSerializerWritesTheSame(String symbol, long start) {
        // Given
        byte[] bytes;
        try (var serializer = new TimeWindowedSerializer<>(new StringSerializer())) {
            bytes = serializer.serialize(
                    "stockstats-output", new Windowed<>(symbol, new TimeWindow(start, start + 5_000)));
        }

        // When
        byte[] own = new WindowKey(new Ticker(symbol), start).bytes();

        // Then
        assertArrayEquals(bytes, own);
    }
}
