package io.stockstats.query;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.store.Copy;
import io.stockstats.store.InstanceAddress;
import io.stockstats.trade.Ticker;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpPeersTest {

    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final List<Copy<Slice>> REPLY =
            List.of(Copy.following(3, OptionalLong.of(4), new Slice(false, List.of(), OptionalLong.empty())));

    private Vertx vertx;
    private HttpPeers peers;

    @BeforeAll
    void start() {
        vertx = Vertx.vertx();
        peers = new HttpPeers(vertx);
    }

    @AfterAll
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, SECONDS);
    }

    private InstanceAddress peer(Handler<HttpServerRequest> handler) throws Exception {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(handler)
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(10, SECONDS);
        return new InstanceAddress("127.0.0.1", server.actualPort());
    }

    private CompletableFuture<List<Copy<Slice>>> ask(InstanceAddress peer, String ticker, Duration within) {
        return peers.ask(peer, new Question.Latest(new Ticker(ticker), 5_000), List.of(3), within);
    }

    @ParameterizedTest
    @MethodSource("tickers")
    void whatever_the_ticker_the_same_path_is_asked_and_the_ticker_is_in_the_body(String ticker) throws Exception {
        List<String> asked = Collections.synchronizedList(new ArrayList<>());
        InstanceAddress peer = peer(request -> request.bodyHandler(body -> {
            PeerFormat.Request read = PeerFormat.request(body.getBytes());
            asked.add(request.method() + " " + request.uri() + " " + read.question());
            request.response().end(Buffer.buffer(PeerFormat.reply(REPLY)));
        }));

        List<Copy<Slice>> reply = ask(peer, ticker, LONG).get(10, SECONDS);

        assertEquals(REPLY, reply);
        assertEquals(List.of("POST /internal/v1/questions " + new Question.Latest(new Ticker(ticker), 5_000)), asked);
    }

    static Stream<String> tickers() {
        return Stream.of("MMM", "BTC/USDT", "../../q/health", "a?b=c#d", "%2e%2e%2f", "http://evil:80/", "币安人生USDT");
    }

    static Stream<Handler<HttpServerRequest>> peersOfNoUse() {
        return Stream.of(
                request -> request.response().setStatusCode(500).end("{}"),
                request -> request.response().setStatusCode(404).end(),
                request -> request.response()
                        .setStatusCode(302)
                        .putHeader("Location", "/")
                        .end(),
                request -> request.response().end(),
                request -> request.response().end("not a reply"),
                request -> request.response().end(Buffer.buffer(new byte[] {2, 0, 0, 0, 0})),
                request -> request.response().putHeader("Content-Length", "100").write("x"),
                request -> request.connection().close(),
                request -> {});
    }

    @ParameterizedTest
    @MethodSource("peersOfNoUse")
    void a_peer_that_answers_wrongly_or_not_at_all_says_nothing_and_in_time(Handler<HttpServerRequest> handler)
            throws Exception {
        InstanceAddress peer = peer(handler);

        long begun = System.nanoTime();
        List<Copy<Slice>> reply = ask(peer, "MMM", SHORT).get(10, SECONDS);

        assertEquals(List.of(), reply);
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.compareTo(SHORT.plusSeconds(2)) < 0, took::toString);
    }

    @Test
    void a_peer_that_is_not_there_or_has_no_address_says_nothing() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            free = socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }

        assertEquals(
                List.of(),
                ask(new InstanceAddress("127.0.0.1", free), "MMM", SHORT).get(10, SECONDS));
        assertEquals(
                List.of(),
                ask(new InstanceAddress("no.such.host.invalid", 80), "MMM", SHORT)
                        .get(10, SECONDS));
    }

    @Test
    void peers_that_hang_cost_no_more_than_their_time_however_many_ask() throws Exception {
        InstanceAddress hangs = peer(request -> {});
        InstanceAddress answers = peer(request -> request.response().end(Buffer.buffer(PeerFormat.reply(REPLY))));
        List<CompletableFuture<List<Copy<Slice>>>> waiting =
                IntStream.range(0, 500).mapToObj(i -> ask(hangs, "MMM", LONG)).toList();

        assertEquals(REPLY, ask(answers, "MMM", LONG).get(5, SECONDS));
        assertEquals(List.of(), ask(hangs, "MMM", SHORT).get(5, SECONDS));
        assertTrue(waiting.stream().noneMatch(CompletableFuture::isDone));
    }

    @Test
    void an_instance_that_does_not_describe_itself_is_a_failure() throws Exception {
        InstanceAddress says = peer(request -> request.response().end(request.method() + " " + request.uri()));
        InstanceAddress fails =
                peer(request -> request.response().setStatusCode(503).end());

        assertEquals("GET /internal/v1/instance", peers.describe(says, LONG).get(10, SECONDS));
        assertThrows(ExecutionException.class, () -> peers.describe(fails, LONG).get(10, SECONDS));
    }
}
