package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import io.stockstats.wire.UnknownFormatException;
import io.stockstats.wire.WindowStatsSerde;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What one instance streams to another: frames of a length, four bytes, big-endian, and as many bytes, which are one
 * window as {@link WindowStatsSerde} writes it. A frame of length 0 says that the other is still there.
 */
final class Frames {

    /** Far above a window's size, and far below what could hurt. */
    private static final int LARGEST = 1 << 16;

    private Frames() {}

    static Buffer of(WindowStats window) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            WindowStatsSerde.write(window, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return Buffer.buffer(Integer.BYTES + bytes.size())
                .appendInt(bytes.size())
                .appendBytes(bytes.toByteArray());
    }

    /** Who takes what was read. */
    interface Reader {

        /** Takes a window. */
        void window(WindowStats window);

        /** Is told that there is nothing new. */
        void heartbeat();
    }

    /**
     * Reads frames from pieces of a stream, however it was cut.
     *
     * @return what takes the pieces; throws {@link UnknownFormatException} or {@link UncheckedIOException} when they are
     *     not such frames, after which
     *     the stream cannot be read any more
     */
    static Handler<Buffer> reader(Reader out) {
        RecordParser parser = RecordParser.newFixed(Integer.BYTES);
        parser.handler(new Handler<>() {
            private boolean inFrame;

            @Override
            public void handle(Buffer record) {
                if (inFrame) {
                    inFrame = false;
                    parser.fixedSizeMode(Integer.BYTES);
                    out.window(window(record));
                    return;
                }
                int length = record.getInt(0);
                if (length < 0 || length > LARGEST) {
                    throw new UncheckedIOException(new IOException("a frame of " + length + " bytes"));
                }
                if (length == 0) {
                    out.heartbeat();
                } else {
                    inFrame = true;
                    parser.fixedSizeMode(length);
                }
            }
        });
        return parser;
    }

    private static WindowStats window(Buffer record) {
        try {
            return WindowStatsSerde.read(new DataInputStream(new ByteArrayInputStream(record.getBytes())));
        } catch (IOException e) {
            throw new UncheckedIOException("a frame is shorter than its window", e);
        }
    }
}
