package io.stockstats.live;

import io.stockstats.store.InstanceAddress;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Connects over HTTP. */
final class HttpPeerDialer implements PeerDialer {

    private static final Logger LOG = Logger.getLogger(HttpPeerDialer.class);
    private static final int CONNECT_TIMEOUT_MS = 1_000;

    /** Longer than the pause between two heartbeats. */
    private static final int READ_IDLE_TIMEOUT_S = 20;

    private final HttpClient http;

    /** @param http with {@link #options} */
    HttpPeerDialer(HttpClient http) {
        this.http = http;
    }

    static HttpClientOptions options() {
        return new HttpClientOptions()
                .setConnectTimeout(CONNECT_TIMEOUT_MS)
                .setReadIdleTimeout(READ_IDLE_TIMEOUT_S)
                // A connection is one stream: none is left to be used again.
                .setKeepAlive(false)
                .setPoolCleanerPeriod(0);
    }

    @Override
    public Connection dial(InstanceAddress peer, Listener listener) {
        HttpConnection connection = new HttpConnection(peer, listener);
        // An IPv6 address takes brackets in the Host header, and none where it is connected to.
        String host = peer.host().indexOf(':') < 0 ? peer.host() : "[" + peer.host() + "]";
        http.request(new RequestOptions()
                        .setServer(SocketAddress.inetSocketAddress(peer.port(), peer.host()))
                        .setHost(host)
                        .setPort(peer.port())
                        .setMethod(HttpMethod.GET)
                        .setURI(InternalStream.PATH))
                .onSuccess(connection::send)
                .onFailure(connection::end);
        return connection;
    }

    private static final class HttpConnection implements Connection {
        private final InstanceAddress peer;
        private final Listener listener;
        private @Nullable HttpClientRequest request;
        private boolean closed;
        private boolean ended;

        HttpConnection(InstanceAddress peer, Listener listener) {
            this.peer = peer;
            this.listener = listener;
        }

        void send(HttpClientRequest made) {
            // Without a handler Vert.x logs what befalls it, even that we ourselves reset it.
            made.exceptionHandler(this::end);
            synchronized (this) {
                request = made;
                if (closed) {
                    made.reset();
                    return;
                }
            }
            // Before it is sent: what came sooner than somebody looks for it would be lost.
            made.response().onSuccess(this::receive).onFailure(this::end);
            made.send();
        }

        private void receive(HttpClientResponse response) {
            response.exceptionHandler(this::end);
            if (response.statusCode() != 200
                    || !InternalStream.CONTENT_TYPE.equals(response.getHeader("Content-Type"))) {
                end(new IllegalStateException("status " + response.statusCode()));
                return;
            }
            Handler<Buffer> reader = Frames.reader(listener);
            response.handler(piece -> {
                try {
                    reader.handle(piece);
                } catch (RuntimeException e) {
                    response.handler(null);
                    end(e);
                }
            });
            response.endHandler(done -> end(null));
        }

        private void end(@Nullable Throwable why) {
            synchronized (this) {
                if (ended) {
                    return;
                }
                ended = true;
            }
            if (why != null) {
                LOG.debugf(why, "stream of instance %s", peer);
            }
            close();
            listener.ended();
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (request != null) {
                request.reset();
            }
        }
    }
}
