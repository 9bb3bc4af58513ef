package io.stockstats.wire;

import io.stockstats.stats.CompensatedSum;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.PaneStats.Tick;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A pane as bytes, in the store and in its changelog. The first byte is the format's version, 1; then 120 bytes of
 * big-endian longs and doubles in the order of {@link #serialize}; then one byte for the type (0 none, 1 mixed, 2 the
 * UTF-8 text that fills the rest).
 */
public final class PaneStatsSerde {

    /** The version that this code writes, and the only one that it reads. */
    public static final byte VERSION = 1;

    private static final int FIXED_BYTES = 1 + 15 * Long.BYTES + 1;
    private static final byte NO_TYPE = 0;
    private static final byte MIXED_TYPES = 1;
    private static final byte TYPE_FOLLOWS = 2;
    private static final byte[] NOTHING = {};

    private PaneStatsSerde() {}

    /** Writes the pane in the current version. */
    public static byte[] serialize(PaneStats pane) {
        String type = pane.type();
        byte[] text = type == null ? NOTHING : type.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + text.length)
                .put(VERSION)
                .putLong(pane.count())
                .putDouble(pane.min())
                .putDouble(pane.max());
        put(out, pane.sum());
        put(out, pane.volume());
        put(out, pane.turnover());
        put(out, pane.first());
        put(out, pane.last());
        return out.put(pane.mixedTypes() ? MIXED_TYPES : type == null ? NO_TYPE : TYPE_FOLLOWS)
                .put(text)
                .array();
    }

    /**
     * Reads a pane.
     *
     * @throws UnknownFormatException if the bytes are of another version, or not a pane
     */
    public static PaneStats deserialize(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw new UnknownFormatException("a pane in the state has format version "
                    + (bytes.length == 0 ? "(empty)" : Integer.toString(bytes[0] & 0xFF))
                    + ", and this version of Stockstats reads version " + VERSION
                    + " only: run the version that wrote it, or one that reads both");
        }
        if (bytes.length < FIXED_BYTES) {
            throw new UnknownFormatException("a pane in the state has " + bytes.length + " bytes, fewer than the "
                    + FIXED_BYTES + " of format version " + VERSION + ": the state is damaged");
        }
        in.get();
        long count = in.getLong();
        double min = in.getDouble();
        double max = in.getDouble();
        CompensatedSum sum = sum(in);
        CompensatedSum volume = sum(in);
        CompensatedSum turnover = sum(in);
        Tick first = tick(in);
        Tick last = tick(in);
        byte typeKind = in.get();
        boolean ends = typeKind == NO_TYPE || typeKind == MIXED_TYPES;
        if (ends ? in.hasRemaining() : typeKind != TYPE_FOLLOWS) {
            throw new UnknownFormatException("a pane in the state ends in a way that format version " + VERSION
                    + " does not know: the state is damaged");
        }
        return new PaneStats(
                count, sum, min, max, volume, turnover, first, last, type(typeKind, in), typeKind == MIXED_TYPES);
    }

    private static @Nullable String type(byte kind, ByteBuffer in) {
        return kind == TYPE_FOLLOWS ? StandardCharsets.UTF_8.decode(in).toString() : null;
    }

    private static void put(ByteBuffer out, CompensatedSum sum) {
        out.putDouble(sum.hi()).putDouble(sum.lo());
    }

    private static CompensatedSum sum(ByteBuffer in) {
        return new CompensatedSum(in.getDouble(), in.getDouble());
    }

    private static void put(ByteBuffer out, Tick tick) {
        out.putDouble(tick.price()).putLong(tick.eventNanos()).putLong(tick.arrival());
    }

    private static Tick tick(ByteBuffer in) {
        return new Tick(in.getDouble(), in.getLong(), in.getLong());
    }
}
