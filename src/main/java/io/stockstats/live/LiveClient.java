package io.stockstats.live;

import io.stockstats.trade.Ticker;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One client's place in the stream. It is given what changed, and writes as much as the client takes; of what has to
 * wait only the newest event of each ticker is kept. A client that takes nothing therefore costs a bounded amount of
 * memory, and holds up nobody.
 */
public final class LiveClient {

    /** A client hears something at least this often and twice the beat: well within the 15 s that are promised. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** Many small events in one piece, so that they do not cost a system call each. */
    private static final int PIECE_BYTES = 16 << 10;

    /** A map that has held this many is not kept when it is empty. */
    private static final int LARGE = 1_024;

    private final Kind kind;
    private final Set<Ticker> only;
    private final Outlet outlet;
    private final LongSupplier nanoTime;

    /** What the hub has handed over and the client's thread not yet taken. */
    private final AtomicReference<@Nullable Map<Ticker, LiveEvent>> handed = new AtomicReference<>();

    private volatile boolean closed;

    // What follows is touched by the client's own thread only.

    private Map<Ticker, LiveEvent> pending = new LinkedHashMap<>();
    private boolean shrink;
    private long lastWrite;
    private boolean full;
    private long fullSince;

    /** What a client is, and therefore gets. */
    enum Kind {
        /** Somebody outside: every ticker of all instances, as server-sent events. */
        VIEWER(LiveEvent::serverSentEvent, Buffer.buffer(":\n\n".getBytes(StandardCharsets.US_ASCII))),

        /** Another instance: the tickers that are processed here, as frames. */
        INSTANCE(LiveEvent::frame, InternalStream.HEARTBEAT);

        private final Function<LiveEvent, Buffer> form;
        private final Buffer heartbeat;

        Kind(Function<LiveEvent, Buffer> form, Buffer heartbeat) {
            this.form = form;
            this.heartbeat = heartbeat;
        }
    }

    /** @param only the tickers that it wants; all when empty */
    LiveClient(Kind kind, Set<Ticker> only, Outlet outlet, LongSupplier nanoTime) {
        this.kind = kind;
        this.only = Set.copyOf(only);
        this.outlet = outlet;
        this.nanoTime = nanoTime;
        this.lastWrite = nanoTime.getAsLong();
    }

    Kind kind() {
        return kind;
    }

    /** Whether it is gone, or was told to go. */
    boolean isClosed() {
        return closed;
    }

    /** Gives it what changed; the map must not change any more. Called by any thread, and does not wait for the client. */
    void offer(Map<Ticker, LiveEvent> batch) {
        if (!closed && !batch.isEmpty() && handed.getAndAccumulate(batch, LiveClient::merged) == null) {
            outlet.run(this::take);
        }
    }

    /** The two in one: the client's thread has fallen behind, and must not find a queue when it comes. */
    private static Map<Ticker, LiveEvent> merged(
            @Nullable Map<Ticker, LiveEvent> waiting, @Nullable Map<Ticker, LiveEvent> batch) {
        if (waiting == null || batch == null) {
            return waiting == null ? (batch == null ? Map.of() : batch) : waiting;
        }
        Map<Ticker, LiveEvent> both = new HashMap<>(waiting);
        batch.forEach((ticker, event) -> both.merge(ticker, event, LiveEvent::newer));
        return both;
    }

    private void take() {
        Map<Ticker, LiveEvent> batch = handed.getAndSet(null);
        if (batch == null || closed) {
            return;
        }
        if (only.isEmpty()) {
            batch.forEach(this::keep);
        } else if (only.size() < batch.size()) {
            for (Ticker ticker : only) {
                LiveEvent event = batch.get(ticker);
                if (event != null) {
                    keep(ticker, event);
                }
            }
        } else {
            batch.forEach((ticker, event) -> {
                if (only.contains(ticker)) {
                    keep(ticker, event);
                }
            });
        }
        flush();
    }

    private void keep(Ticker ticker, LiveEvent event) {
        pending.merge(ticker, event, LiveEvent::newer);
    }

    /** Goes on, after {@link Outlet#isFull} was true. To be called on the client's own thread. */
    public void drained() {
        flush();
    }

    private void flush() {
        if (closed) {
            return;
        }
        shrink |= pending.size() > LARGE;
        Iterator<LiveEvent> events = pending.values().iterator();
        while (events.hasNext() && !isFull()) {
            Buffer piece = Buffer.buffer(PIECE_BYTES);
            while (events.hasNext() && piece.length() < PIECE_BYTES) {
                piece.appendBuffer(kind.form.apply(events.next()));
                events.remove();
            }
            write(piece);
        }
        if (shrink && pending.isEmpty()) {
            pending = new LinkedHashMap<>();
            shrink = false;
        }
    }

    private boolean isFull() {
        boolean now = outlet.isFull();
        if (now && !full) {
            fullSince = nanoTime.getAsLong();
        }
        full = now;
        return now;
    }

    private void write(Buffer bytes) {
        lastWrite = nanoTime.getAsLong();
        outlet.write(bytes);
    }

    /** To be called every few seconds, by any thread: keeps the connection from looking dead, and finds those that are. */
    void beat() {
        if (!closed) {
            outlet.run(() -> {
                if (closed) {
                    return;
                }
                if (!isFull()) {
                    flush();
                    if (nanoTime.getAsLong() - lastWrite >= QUIET_NANOS) {
                        write(kind.heartbeat);
                    }
                } else if (nanoTime.getAsLong() - fullSince >= STUCK_NANOS) {
                    closed = true;
                    pending = Map.of();
                    outlet.drop();
                }
            });
        }
    }

    /** Ends the stream, by any thread. */
    void end() {
        outlet.run(() -> {
            if (!closed) {
                closed = true;
                pending = Map.of();
                outlet.end();
            }
        });
    }

    /** Notes that the client is gone, by any thread. */
    void gone() {
        closed = true;
        handed.set(null);
    }
}
