package io.stockstats.wire;

import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A window between instances: the format's version, 1; the ticker as {@link DataOutput#writeUTF}; start and end as
 * longs; a boolean that is true when the window is final; the length of what follows as an int; and the statistics as
 * {@link PaneStatsSerde} has them.
 */
public final class WindowStatsSerde {

    private static final byte VERSION = 1;

    private WindowStatsSerde() {}

    /** Writes the window in the current version. */
    public static void write(WindowStats window, DataOutput out) throws IOException {
        out.writeByte(VERSION);
        out.writeUTF(window.ticker().symbol());
        out.writeLong(window.window().start());
        out.writeLong(window.window().end());
        out.writeBoolean(window.isFinal());
        byte[] stats = PaneStatsSerde.serialize(window.stats());
        out.writeInt(stats.length);
        out.write(stats);
    }

    /**
     * Reads a window.
     *
     * @throws UnknownFormatException if it is of another version
     */
    public static WindowStats read(DataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new UnknownFormatException(
                    "a peer's window has format version " + version + ", and this version reads " + VERSION + " only");
        }
        Ticker ticker = new Ticker(in.readUTF());
        Window window = new Window(in.readLong(), in.readLong());
        boolean isFinal = in.readBoolean();
        byte[] stats = new byte[in.readInt()];
        in.readFully(stats);
        return new WindowStats(ticker, window, isFinal, PaneStatsSerde.deserialize(stats));
    }
}
