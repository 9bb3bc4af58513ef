package io.stockstats.web;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResponseOutletTest {

    private static final Buffer PIECE = Buffer.buffer(new byte[1 << 16]);

    private Vertx vertx;

    @BeforeAll
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, SECONDS);
    }

    @Test
    void a_client_that_takes_nothing_is_cut_off_with_all_that_it_did_not_take() throws Exception {
        // Given a client that does not read, and a response that has been written to until it is full
        CompletableFuture<ResponseOutlet> full = new CompletableFuture<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> {
                    request.response().setChunked(true).closeHandler(ended::complete);
                    ResponseOutlet outlet = new ResponseOutlet(request, Vertx.currentContext());
                    fill(outlet, full);
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, SECONDS);
        try (Socket client = new Socket("127.0.0.1", server.actualPort())) {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            ResponseOutlet outlet = full.get(10, SECONDS);
            assertFalse(ended.isDone());

            // When
            outlet.run(outlet::drop);

            // Then its end is noticed, though nothing more was taken
            ended.get(10, SECONDS);
        }
    }

    /** Goes on for as long as the operating system takes something. */
    private void fill(ResponseOutlet outlet, CompletableFuture<ResponseOutlet> full) {
        while (!outlet.isFull()) {
            outlet.write(PIECE);
        }
        vertx.setTimer(200, id -> {
            if (outlet.isFull()) {
                full.complete(outlet);
            } else {
                fill(outlet, full);
            }
        });
    }
}
