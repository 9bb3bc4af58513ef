package io.stockstats.live;

import io.stockstats.trade.Ticker;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Brings latest windows to clients. With the first client it begins to ask the stream, the other instances and the
 * store; with the last it stops, and nothing of it is left: no thread, no connection, no memory.
 */
public final class LiveHub {

    private final LiveSources sources;
    private final LatestInbox inbox;
    private final Set<LiveClient> clients = new HashSet<>();
    private int viewers;
    private volatile boolean closed;
    private @Nullable Broadcast broadcast;

    LiveHub(LiveSources sources, LatestInbox inbox) {
        this.sources = sources;
        this.inbox = inbox;
    }

    /**
     * Begins to send events to somebody outside: the latest window of each ticker of all instances, now and whenever it
     * changed. The outlet's head must be written.
     *
     * @param only the tickers that are wanted; all when empty
     */
    public LiveClient watch(Set<Ticker> only, Outlet outlet) {
        return begin(new LiveClient(LiveClient.Kind.VIEWER, only, outlet, sources.nanoTime()));
    }

    /** Begins to send frames to another instance: the latest window of each ticker that is processed here. */
    public LiveClient relay(Outlet outlet) {
        return begin(new LiveClient(LiveClient.Kind.INSTANCE, Set.of(), outlet, sources.nanoTime()));
    }

    private synchronized LiveClient begin(LiveClient client) {
        if (closed) {
            client.end();
            return client;
        }
        clients.add(client);
        viewers += weight(client);
        Broadcast current = broadcast;
        if (current == null) {
            current = new Broadcast(sources, inbox.open());
            current.add(client);
            broadcast = current;
            current.begin();
        } else {
            current.add(client);
        }
        return client;
    }

    /** Takes note that the client is gone, however it went. */
    public synchronized void left(LiveClient client) {
        client.gone();
        if (clients.remove(client)) {
            viewers -= weight(client);
            if (clients.isEmpty() && broadcast != null) {
                broadcast.end();
                broadcast = null;
                inbox.close();
            }
        }
    }

    private static int weight(LiveClient client) {
        return client.kind() == LiveClient.Kind.VIEWER ? 1 : 0;
    }

    /** How many clients watch; other instances do not count. */
    public synchronized int viewers() {
        return viewers;
    }

    /** Whether streams are ended and no new ones begin, because the service stops. */
    public boolean isClosed() {
        return closed;
    }

    /** Ends all streams, for good. */
    public void close() {
        List<LiveClient> open;
        synchronized (this) {
            closed = true;
            open = List.copyOf(clients);
        }
        open.forEach(LiveClient::end);
    }
}
