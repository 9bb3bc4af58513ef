package io.stockstats.wire;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A window as bytes, between instances, which may be of two successive versions. The first byte is the format's
 * version, 1; then the length of the ticker's UTF-8 bytes as two bytes, and these; start and end as eight bytes each;
 * one byte that is 1 when the window is final and else 0; the length of {@link PaneStatsSerde}'s bytes as two bytes,
 * and these. All numbers are big-endian.
 */
public final class WindowStatsSerde {

    /** The version that this code writes, and the only one that it reads. */
    public static final byte VERSION = 1;

    private WindowStatsSerde() {}

    /** Writes the window in the current version. */
    public static void write(WindowStats window, DataOutput out) throws IOException {
        out.writeByte(VERSION);
        writeBytes(window.ticker().symbol().getBytes(StandardCharsets.UTF_8), out);
        out.writeLong(window.window().start());
        out.writeLong(window.window().end());
        out.writeBoolean(window.isFinal());
        writeBytes(PaneStatsSerde.serialize(window.stats()), out);
    }

    /**
     * Reads a window, and not a byte beyond it.
     *
     * @throws UnknownFormatException if the bytes are of another version, or not a window
     * @throws java.io.EOFException if they end before the window does
     */
    public static WindowStats read(DataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new UnknownFormatException("a window from another instance has format version " + (version & 0xFF)
                    + ", and this version of Stockstats reads version " + VERSION + " only");
        }
        String symbol = new String(readBytes(in), StandardCharsets.UTF_8);
        long start = in.readLong();
        long end = in.readLong();
        boolean isFinal = in.readBoolean();
        PaneStats stats = PaneStatsSerde.deserialize(readBytes(in));
        String fault = Ticker.faultIn(symbol);
        if (!fault.isEmpty()) {
            throw new UnknownFormatException("a window from another instance is damaged: its ticker " + fault);
        }
        if (start >= end) {
            throw new UnknownFormatException(
                    "a window from another instance is damaged: it starts at " + start + " and ends at " + end);
        }
        return new WindowStats(new Ticker(symbol), new Window(start, end), isFinal, stats);
    }

    private static void writeBytes(byte[] bytes, DataOutput out) throws IOException {
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInput in) throws IOException {
        byte[] bytes = new byte[in.readUnsignedShort()];
        in.readFully(bytes);
        return bytes;
    }
}
