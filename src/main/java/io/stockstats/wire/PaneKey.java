package io.stockstats.wire;

import io.stockstats.trade.Ticker;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A pane's key in the store: the ticker's UTF-8 bytes, a zero byte, and the pane's start as eight bytes, big-endian.
 * No ticker holds a zero byte, so keys sort by ticker in code-point order and then by time, and one ticker's panes are
 * one range. Keys that begin with a zero byte are the store's own records.
 *
 * @param ticker the ticker
 * @param start the pane's start, in milliseconds since the epoch
 */
public record PaneKey(Ticker ticker, long start) {

    private static final int TIME_BYTES = 1 + Long.BYTES;

    /** The key as bytes. */
    public byte[] bytes() {
        return bytes(utf8(ticker), start);
    }

    /** The least key that any pane can have. */
    public static byte[] lowest() {
        return new byte[] {1};
    }

    /** The least key of the first ticker after {@code ticker} in code-point order. */
    public static byte[] lowestAfter(Ticker ticker) {
        byte[] symbol = utf8(ticker);
        byte[] bytes = Arrays.copyOf(symbol, symbol.length + 1);
        bytes[symbol.length] = 1;
        return bytes;
    }

    /** A key above every pane's: UTF-8 has no byte 0xFF. */
    public static byte[] highest() {
        return new byte[] {(byte) 0xFF};
    }

    /** Reads what {@link #bytes} wrote. */
    public static PaneKey parse(byte[] bytes) {
        int symbolLength = bytes.length - TIME_BYTES;
        return new PaneKey(new Ticker(new String(bytes, 0, symbolLength, StandardCharsets.UTF_8)), startOf(bytes));
    }

    /** The start alone, without making a ticker. */
    public static long startOf(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES);
    }

    private static byte[] bytes(byte[] symbol, long start) {
        return ByteBuffer.allocate(symbol.length + TIME_BYTES)
                .put(symbol)
                .put((byte) 0)
                .putLong(start)
                .array();
    }

    private static byte[] utf8(Ticker ticker) {
        return ticker.symbol().getBytes(StandardCharsets.UTF_8);
    }
}
