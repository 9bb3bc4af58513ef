package io.stockstats.wire;

import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowStats;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A partition's report as bytes, on the repartition topic and in the merger's store. The first byte is the format's
 * version, 1; then the rule: the figure's label as modified UTF-8 after two bytes of length, one byte that is 1 for
 * descending and else 0, n as two bytes, the window's length as eight. Then the partition as four bytes, and one byte
 * for the kind. Kind 1, a list: start as eight bytes, one byte that is 1 when the partition has closed the window, the
 * number of tickers as two bytes, and each as {@link WindowStatsSerde} writes it. Kind 2, progress: from and to as
 * eight bytes each. All numbers are big-endian.
 */
public final class TopReportSerde {

    /** The version that this code writes, and the only one that it reads. */
    public static final byte VERSION = 1;

    private static final byte PARTIAL = 1;
    private static final byte PROGRESS = 2;
    private static final int TYPICAL_BYTES = 1_024;

    private TopReportSerde() {}

    /** Writes the report in the current version. */
    public static byte[] serialize(TopReport report) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            TopRule rule = report.rule();
            out.writeUTF(rule.ranking().by().label());
            out.writeBoolean(rule.ranking().descending());
            out.writeShort(rule.n());
            out.writeLong(rule.window());
            out.writeInt(report.partition());
            if (report instanceof TopReport.Partial partial) {
                out.writeByte(PARTIAL);
                out.writeLong(partial.windowStart());
                out.writeBoolean(partial.closed());
                out.writeShort(partial.top().size());
                for (WindowStats window : partial.top()) {
                    WindowStatsSerde.write(window, out);
                }
            } else if (report instanceof TopReport.Progress progress) {
                out.writeByte(PROGRESS);
                out.writeLong(progress.from());
                out.writeLong(progress.to());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads a report.
     *
     * @throws UnknownFormatException if the bytes are of another version, or not a report
     */
    public static TopReport deserialize(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != VERSION) {
            throw new UnknownFormatException("a partition's top list has format version "
                    + (bytes.length == 0 ? "(empty)" : Integer.toString(bytes[0] & 0xFF))
                    + ", and this version of Stockstats reads version " + VERSION
                    + " only: run the version that wrote it, or one that reads both");
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes, 1, bytes.length - 1))) {
            TopReport report = read(in);
            if (in.read() >= 0) {
                throw new UnknownFormatException("a partition's top list is damaged: it does not end where it should");
            }
            return report;
        } catch (IOException e) {
            // All that reading from memory can fail with is an early end.
            throw new UnknownFormatException("a partition's top list is damaged: it ends too early");
        }
    }

    private static TopReport read(DataInputStream in) throws IOException {
        Ranking ranking = new Ranking(figure(in.readUTF()), in.readBoolean());
        TopRule rule = new TopRule(ranking, in.readUnsignedShort(), in.readLong());
        int partition = in.readInt();
        byte kind = in.readByte();
        if (kind == PROGRESS) {
            return new TopReport.Progress(rule, partition, in.readLong(), in.readLong());
        }
        if (kind != PARTIAL) {
            throw new UnknownFormatException("a partition's top list is damaged: its kind is " + kind);
        }
        long start = in.readLong();
        boolean closed = in.readBoolean();
        int size = in.readUnsignedShort();
        List<WindowStats> top = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            top.add(WindowStatsSerde.read(in));
        }
        return new TopReport.Partial(rule, partition, start, closed, List.copyOf(top));
    }

    private static Ranking.By figure(String label) {
        return Arrays.stream(Ranking.By.values())
                .filter(by -> by.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new UnknownFormatException(
                        "a partition's top list is by " + label + ", which this version of Stockstats does not know"));
    }
}
