package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import io.stockstats.wire.WindowStatsJson;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A ticker's latest window as all clients get it: each of its two forms is made once, by the first that needs it. */
final class LiveEvent {

    private static final byte[] AFTER = {'\n', '\n'};

    private final WindowStats window;
    private final long round;
    private @Nullable Buffer serverSentEvent;
    private @Nullable Buffer frame;

    /** @param round when it was learned; rounds are numbered */
    LiveEvent(WindowStats window, long round) {
        this.window = window;
        this.round = round;
    }

    WindowStats window() {
        return window;
    }

    long round() {
        return round;
    }

    /** As an event of {@code text/event-stream}. Its id says which state of the window it is. */
    synchronized Buffer serverSentEvent() {
        if (serverSentEvent == null) {
            String head = "event: stats\nid: " + window.window().end() + "-"
                    + window.stats().count() + (window.isFinal() ? "-final" : "") + "\ndata: ";
            serverSentEvent = Buffer.buffer()
                    .appendBytes(head.getBytes(StandardCharsets.US_ASCII))
                    .appendBytes(WindowStatsJson.bytes(window))
                    .appendBytes(AFTER);
        }
        return serverSentEvent;
    }

    /** As a frame for another instance. */
    synchronized Buffer frame() {
        if (frame == null) {
            frame = Frames.of(window);
        }
        return frame;
    }

    /** The one of the two that knows more; {@code known} when they know the same. */
    static LiveEvent newer(LiveEvent known, LiveEvent other) {
        return supersedes(other.window, known.window) ? other : known;
    }

    /** The one of the two that knows more; {@code known} when they know the same. */
    static WindowStats newer(WindowStats known, WindowStats other) {
        return supersedes(other, known) ? other : known;
    }

    /**
     * Whether {@code other} knows more than {@code known} of the same ticker: a later window, or more trades of the same,
     * or that it is final. Trades are only ever added, so whoever has counted fewer is behind.
     */
    static boolean supersedes(WindowStats other, WindowStats known) {
        if (other.window().end() != known.window().end()) {
            return other.window().end() > known.window().end();
        }
        if (other.stats().count() != known.stats().count()) {
            return other.stats().count() > known.stats().count();
        }
        return other.isFinal() && !known.isFinal();
    }
}
