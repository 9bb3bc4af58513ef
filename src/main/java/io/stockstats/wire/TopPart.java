package io.stockstats.wire;

import io.stockstats.stats.WindowStats;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one partition contributes to top lists: how far it is, and the first tickers of one window.
 *
 * @param partition the partition
 * @param closedUntil windows that end at this time or before are closed in the partition, milliseconds since the epoch
 * @param start the window's start, milliseconds since the epoch; {@link #NO_WINDOW} when only {@code closedUntil} is told
 * @param first the first tickers' windows, in order
 */
public record TopPart(int partition, long closedUntil, long start, List<WindowStats> first) {

    /** The start of no window. */
    public static final long NO_WINDOW = Long.MIN_VALUE;

    private static final byte VERSION = 1;

    /** As bytes: the format's version, 1; the numbers in their order, big-endian; and the windows. */
    public byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeInt(partition);
            out.writeLong(closedUntil);
            out.writeLong(start);
            out.writeInt(first.size());
            for (WindowStats window : first) {
                WindowStatsSerde.write(window, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #bytes} wrote.
     *
     * @throws UnknownFormatException if the bytes are of another version, or end too soon
     */
    public static TopPart parse(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            byte version = in.readByte();
            if (version != VERSION) {
                throw new UnknownFormatException("a part of a top list has format version " + version
                        + ", and this version of Stockstats reads version " + VERSION + " only");
            }
            int partition = in.readInt();
            long closedUntil = in.readLong();
            long start = in.readLong();
            List<WindowStats> first = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                first.add(WindowStatsSerde.read(in));
            }
            return new TopPart(partition, closedUntil, start, first);
        } catch (IOException e) {
            throw new UnknownFormatException("a part of a top list is damaged: " + e.getMessage());
        }
    }
}
