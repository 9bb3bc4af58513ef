package io.stockstats.live;

import static io.stockstats.live.Windows.AAA;
import static io.stockstats.live.Windows.BBB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stockstats.stats.WindowStats;
import io.stockstats.wire.UnknownFormatException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {

    private final List<Object> read = new ArrayList<>();
    private final Handler<Buffer> reader = Frames.reader(new Frames.Reader() {
        @Override
        public void window(WindowStats window) {
            read.add(window);
        }

        @Override
        public void heartbeat() {
            read.add("heartbeat");
        }
    });

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 64, 173, 10_000})
    void frames_are_read_however_the_stream_is_cut(int piece) {
        // Given
        WindowStats one = Windows.window(AAA, 10, 3);
        WindowStats two = Windows.finalWindow(BBB, 11, 1);
        Buffer stream = Buffer.buffer()
                .appendBuffer(InternalStream.HEARTBEAT)
                .appendBuffer(Frames.of(one))
                .appendBuffer(Frames.of(two))
                .appendBuffer(InternalStream.HEARTBEAT);

        // When
        for (int at = 0; at < stream.length(); at += piece) {
            reader.handle(stream.getBuffer(at, Math.min(stream.length(), at + piece)));
        }

        // Then
        assertEquals(List.of("heartbeat", one, two, "heartbeat"), read);
    }

    @Test
    void a_frame_of_a_later_version_is_refused() {
        Buffer frame = Frames.of(Windows.window(AAA, 10, 3));
        frame.setByte(4, (byte) 2);

        assertThrows(UnknownFormatException.class, () -> reader.handle(frame));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_537, Integer.MAX_VALUE})
    void what_cannot_be_a_length_is_refused(int length) {
        assertThrows(
                UncheckedIOException.class, () -> reader.handle(Buffer.buffer().appendInt(length)));
    }

    @Test
    void a_frame_that_is_too_short_for_its_window_is_refused() {
        Buffer frame = Frames.of(Windows.window(AAA, 10, 3));
        Buffer shorter = Buffer.buffer().appendInt(20).appendBuffer(frame.getBuffer(4, 24));

        assertThrows(UncheckedIOException.class, () -> reader.handle(shorter));
    }
}
