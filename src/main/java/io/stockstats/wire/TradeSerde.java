package io.stockstats.wire;

import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/**
 * A trade between the two halves of a rekeyed topology. The record's key is the ticker's UTF-8 bytes. The value is a
 * version byte (1); price, size and event time as eight big-endian bytes each; the length of the ticker's UTF-8 bytes
 * as two bytes, and these; then one byte that tells whether a type follows (0 or 1), and its UTF-8 text.
 */
public final class TradeSerde {

    private static final byte VERSION = 1;
    private static final int FIXED_BYTES = 1 + 3 * Long.BYTES + Short.BYTES + 1;
    private static final byte[] NOTHING = {};

    private TradeSerde() {}

    /** The key. */
    public static Serde<Ticker> ticker() {
        return Serdes.serdeFrom(
                (topic, ticker) -> utf8(ticker.symbol()),
                (topic, bytes) -> new Ticker(new String(bytes, StandardCharsets.UTF_8)));
    }

    /** The value; reading throws {@link UnknownFormatException} on another version. */
    public static Serde<Trade> trade() {
        return Serdes.serdeFrom((topic, trade) -> serialize(trade), (topic, bytes) -> deserialize(bytes));
    }

    private static byte[] serialize(Trade trade) {
        byte[] symbol = utf8(trade.ticker().symbol());
        String type = trade.type();
        byte[] text = type == null ? NOTHING : utf8(type);
        return ByteBuffer.allocate(FIXED_BYTES + symbol.length + text.length)
                .put(VERSION)
                .putDouble(trade.price())
                .putDouble(trade.size())
                .putLong(trade.eventNanos())
                .putShort((short) symbol.length)
                .put(symbol)
                .put((byte) (type == null ? 0 : 1))
                .put(text)
                .array();
    }

    private static Trade deserialize(byte[] bytes) {
        if (bytes.length < FIXED_BYTES || bytes[0] != VERSION) {
            throw new UnknownFormatException("a trade on the repartition topic is not of format version " + VERSION
                    + ": run the version of Stockstats that wrote it until the topic is read to its end");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
        double price = in.getDouble();
        double size = in.getDouble();
        long eventNanos = in.getLong();
        byte[] symbol = new byte[in.getShort()];
        in.get(symbol);
        @Nullable
        String type = in.get() == 0 ? null : StandardCharsets.UTF_8.decode(in).toString();
        return new Trade(new Ticker(new String(symbol, StandardCharsets.UTF_8)), price, size, type, eventNanos);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
