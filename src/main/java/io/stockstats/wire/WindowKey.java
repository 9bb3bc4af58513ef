package io.stockstats.wire;

import io.stockstats.trade.Ticker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The key of a record on the output topic: the ticker's UTF-8 bytes, then the window's start as eight bytes,
 * big-endian. Kafka's {@code TimeWindowedDeserializer}, told the window's size, reads the same.
 *
 * @param ticker the ticker
 * @param windowStart the window's start, in milliseconds since the epoch
 */
public record WindowKey(Ticker ticker, long windowStart) {

    /** The key as bytes. */
    public byte[] bytes() {
        byte[] symbol = tickerBytes();
        return ByteBuffer.allocate(symbol.length + Long.BYTES)
                .put(symbol)
                .putLong(windowStart)
                .array();
    }

    /** The ticker's part of the key: what decides the partition, so that one ticker's windows stay in order. */
    public byte[] tickerBytes() {
        return ticker.symbol().getBytes(StandardCharsets.UTF_8);
    }
}
