package io.stockstats.live;

import static io.stockstats.live.Windows.AAA;
import static io.stockstats.live.Windows.window;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.stats.WindowStats;
import io.stockstats.store.InstanceAddress;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpPeerDialerTest {

    private static final String LOOPBACK = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final PeerDialer dialer = new HttpPeerDialer(vertx.createHttpClient(HttpPeerDialer.options()));
    private final Heard heard = new Heard();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger closedByCaller = new AtomicInteger();
    private HttpServer server = vertx.createHttpServer();

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void what_the_other_instance_streams_is_heard_until_it_ends() throws Exception {
        // Given
        WindowStats window = window(AAA, 10, 3);
        InstanceAddress peer = serve(request -> {
            assertEquals("GET " + InternalStream.PATH, request.method() + " " + request.uri());
            begin(request)
                    .end(Buffer.buffer().appendBuffer(InternalStream.HEARTBEAT).appendBuffer(Frames.of(window)));
        });

        // When
        dialer.dial(peer, heard);

        // Then
        heard.await(List.of("heartbeat", window, "ended"));
    }

    @Test
    void a_connection_that_is_closed_ends_on_the_other_side_too() throws Exception {
        // Given
        InstanceAddress peer = serve(request -> begin(request).write(InternalStream.HEARTBEAT));
        PeerDialer.Connection connection = dialer.dial(peer, heard);
        heard.await(List.of("heartbeat"));

        // When
        connection.close();

        // Then
        await().until(() -> closedByCaller.get() == 1);
    }

    @Test
    void closing_before_it_is_there_leaves_no_connection() throws Exception {
        InstanceAddress peer = serve(request -> begin(request).write(InternalStream.HEARTBEAT));

        for (int i = 0; i < 20; i++) {
            dialer.dial(peer, heard).close();
        }

        // Of those that came about, all are closed.
        dialer.dial(peer, new Heard());
        await().until(() -> begun.get() >= 1 && closedByCaller.get() == begun.get() - 1);
    }

    @Test
    void an_instance_that_is_not_there_or_does_not_know_the_path_ends_the_attempt() throws Exception {
        // Given
        InstanceAddress gone = serve(request -> {});
        server.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        InstanceAddress older =
                serve(request -> request.response().setStatusCode(404).end("nothing here"));

        for (InstanceAddress peer : List.of(gone, older, new InstanceAddress("no.such.host.invalid", 8080))) {
            // When
            Heard nothing = new Heard();
            dialer.dial(peer, nothing);

            // Then
            nothing.await(List.of("ended"));
        }
    }

    @Test
    void what_cannot_be_read_ends_the_connection_once() throws Exception {
        // Given
        Buffer later = Frames.of(window(AAA, 10, 3));
        later.setByte(4, (byte) 2);
        InstanceAddress peer = serve(request -> begin(request).write(later));

        // When
        dialer.dial(peer, heard);

        // Then
        await().until(() -> closedByCaller.get() == 1);
        heard.await(List.of("ended"));
    }

    private InstanceAddress serve(Handler<HttpServerRequest> handler) throws Exception {
        server = vertx.createHttpServer();
        server.requestHandler(handler);
        server.listen(0, LOOPBACK).toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        return new InstanceAddress(LOOPBACK, server.actualPort());
    }

    private HttpServerResponse begin(HttpServerRequest request) {
        begun.incrementAndGet();
        return request.response()
                .closeHandler(closed -> closedByCaller.incrementAndGet())
                .putHeader("Content-Type", InternalStream.CONTENT_TYPE)
                .setChunked(true);
    }

    private static final class Heard implements PeerDialer.Listener {
        private final List<Object> all = new CopyOnWriteArrayList<>();

        @Override
        public void window(WindowStats window) {
            all.add(window);
        }

        @Override
        public void heartbeat() {
            all.add("heartbeat");
        }

        @Override
        public void ended() {
            all.add("ended");
        }

        void await(List<?> expected) {
            org.awaitility.Awaitility.await().until(() -> all.size() >= expected.size());
            assertEquals(expected, all);
        }
    }
}
