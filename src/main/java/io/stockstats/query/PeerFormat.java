package io.stockstats.query;

import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.WindowQuery;
import io.stockstats.trade.Ticker;
import io.stockstats.wire.UnknownFormatException;
import io.stockstats.wire.WindowStatsSerde;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What instances say to each other: a question about some partitions, and what each of them answers. Instances of two
 * successive versions must understand each other; a test holds the bytes of this version.
 *
 * <p>Both begin with the version, 1. Numbers are big-endian, texts as {@link DataOutput#writeUTF}, what may be absent
 * follows a byte that is 1 when it is there. Binary, so that windows arrive to the last bit as they were sent.
 */
final class PeerFormat {

    private static final int VERSION = 1;
    private static final byte LATEST = 1;
    private static final byte WINDOWS = 2;
    private static final byte ALL = 3;
    private static final byte TOP = 4;
    private static final byte STREAM_TIME = 5;

    private PeerFormat() {}

    /** A question and the partitions that are asked. */
    record Request(Collection<Integer> partitions, Question question) {}

    static byte[] request(Request request) {
        return bytes(out -> {
            out.writeInt(request.partitions().size());
            for (int partition : request.partitions()) {
                out.writeInt(partition);
            }
            write(request.question(), out);
        });
    }

    /** @throws UnknownFormatException if the bytes are no request of this version */
    static Request request(byte[] bytes) {
        return read(bytes, in -> {
            List<Integer> partitions = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                partitions.add(in.readInt());
            }
            return new Request(partitions, question(in));
        });
    }

    static byte[] reply(List<Copy<Slice>> copies) {
        return bytes(out -> {
            out.writeInt(copies.size());
            for (Copy<Slice> copy : copies) {
                out.writeInt(copy.partition());
                out.writeBoolean(copy.active());
                write(copy.lag(), out);
                out.writeBoolean(copy.said().known());
                write(copy.said().mark(), out);
                out.writeInt(copy.said().windows().size());
                for (WindowStats window : copy.said().windows()) {
                    WindowStatsSerde.write(window, out);
                }
            }
        });
    }

    /** @throws UnknownFormatException if the bytes are no reply of this version */
    static List<Copy<Slice>> reply(byte[] bytes) {
        return read(bytes, in -> {
            List<Copy<Slice>> copies = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                int partition = in.readInt();
                boolean active = in.readBoolean();
                OptionalLong lag = optionalLong(in);
                boolean known = in.readBoolean();
                OptionalLong mark = optionalLong(in);
                List<WindowStats> windows = new ArrayList<>();
                for (int more = in.readInt(); more > 0; more--) {
                    windows.add(WindowStatsSerde.read(in));
                }
                copies.add(new Copy<>(partition, active, lag, new Slice(known, windows, mark)));
            }
            return copies;
        });
    }

    private static void write(Question question, DataOutput out) throws IOException {
        if (question instanceof Question.Latest latest) {
            out.writeByte(LATEST);
            out.writeUTF(latest.ticker().symbol());
            out.writeLong(latest.size());
        } else if (question instanceof Question.Windows windows) {
            WindowQuery query = windows.query();
            out.writeByte(WINDOWS);
            out.writeUTF(windows.ticker().symbol());
            write(query.from(), out);
            write(query.to(), out);
            out.writeLong(query.size());
            out.writeInt(query.limit());
            out.writeBoolean(query.descending());
        } else if (question instanceof Question.All all) {
            out.writeByte(ALL);
            out.writeInt(all.only().size());
            for (Ticker ticker : all.only()) {
                out.writeUTF(ticker.symbol());
            }
            out.writeBoolean(all.after().isPresent());
            if (all.after().isPresent()) {
                out.writeUTF(all.after().get().symbol());
            }
            out.writeInt(all.limit());
            out.writeLong(all.size());
        } else if (question instanceof Question.Top top) {
            out.writeByte(TOP);
            out.writeUTF(top.ranking().by().label());
            out.writeBoolean(top.ranking().descending());
            out.writeInt(top.n());
            out.writeLong(top.window().start());
            out.writeLong(top.window().end());
        } else {
            out.writeByte(STREAM_TIME);
        }
    }

    private static Question question(DataInput in) throws IOException {
        byte kind = in.readByte();
        switch (kind) {
            case LATEST -> {
                return new Question.Latest(new Ticker(in.readUTF()), in.readLong());
            }
            case WINDOWS -> {
                return new Question.Windows(
                        new Ticker(in.readUTF()),
                        new WindowQuery(
                                optionalOf(optionalLong(in)),
                                optionalOf(optionalLong(in)),
                                in.readLong(),
                                in.readInt(),
                                in.readBoolean()));
            }
            case ALL -> {
                SortedSet<Ticker> only = new TreeSet<>();
                for (int left = in.readInt(); left > 0; left--) {
                    only.add(new Ticker(in.readUTF()));
                }
                Optional<Ticker> after = in.readBoolean() ? Optional.of(new Ticker(in.readUTF())) : Optional.empty();
                return new Question.All(only, after, in.readInt(), in.readLong());
            }
            case TOP -> {
                Ranking ranking = new Ranking(by(in.readUTF()), in.readBoolean());
                return new Question.Top(ranking, in.readInt(), new Window(in.readLong(), in.readLong()));
            }
            case STREAM_TIME -> {
                return new Question.StreamTime();
            }
            default ->
                throw new UnknownFormatException(
                        "a peer asks a question of kind " + kind + ", which this version does not know");
        }
    }

    private static Ranking.By by(String label) {
        for (Ranking.By by : Ranking.By.values()) {
            if (by.label().equals(label)) {
                return by;
            }
        }
        throw new UnknownFormatException("a peer asks for an order by " + label + ", which this version does not know");
    }

    private static void write(Optional<Long> value, DataOutput out) throws IOException {
        write(value.map(OptionalLong::of).orElseGet(OptionalLong::empty), out);
    }

    private static void write(OptionalLong value, DataOutput out) throws IOException {
        out.writeBoolean(value.isPresent());
        if (value.isPresent()) {
            out.writeLong(value.getAsLong());
        }
    }

    private static OptionalLong optionalLong(DataInput in) throws IOException {
        return in.readBoolean() ? OptionalLong.of(in.readLong()) : OptionalLong.empty();
    }

    private static Optional<Long> optionalOf(OptionalLong value) {
        return value.isPresent() ? Optional.of(value.getAsLong()) : Optional.empty();
    }

    private interface Writing {
        void to(DataOutput out) throws IOException;
    }

    private interface Reading<T> {
        T from(DataInput in) throws IOException;
    }

    private static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            writing.to(out);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reading<T> reading) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            int version = in.readByte();
            if (version != VERSION) {
                throw new UnknownFormatException(
                        "a peer speaks version " + version + ", and this version understands " + VERSION + " only");
            }
            return reading.from(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new UnknownFormatException("a peer's message cannot be read: " + e.getMessage());
        }
    }
}
