package io.stockstats.query;

import io.stockstats.store.Copy;
import io.stockstats.store.InstanceAddress;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Asks other instances over HTTP: where they are comes from the stream's metadata, the path is fixed, and what a client
 * has sent is in the body only.
 */
public final class HttpPeers implements Peers {

    /** Where an instance answers others about partitions that it has. */
    public static final String QUESTIONS = "/internal/v1/questions";

    /** Where an instance tells others about itself. */
    public static final String INSTANCE = "/internal/v1/instance";

    private static final Logger LOG = Logger.getLogger(HttpPeers.class);
    private static final int CONNECTIONS_PER_PEER = 32;
    private static final int WAITING_PER_PEER = 1_000;
    private static final int CONNECT_TIMEOUT_MS = 1_000;
    private static final int IDLE_SECONDS = 60;
    private static final int OK = 200;

    private final Vertx vertx;
    private final HttpClient client;
    private final Set<InstanceAddress> silent = ConcurrentHashMap.newKeySet();

    HttpPeers(Vertx vertx) {
        this.vertx = vertx;
        this.client = vertx.httpClientBuilder()
                .with(new HttpClientOptions()
                        .setConnectTimeout(CONNECT_TIMEOUT_MS)
                        .setMaxWaitQueueSize(WAITING_PER_PEER)
                        .setKeepAliveTimeout(IDLE_SECONDS))
                .with(new PoolOptions().setHttp1MaxSize(CONNECTIONS_PER_PEER))
                // A request that fails says so itself; Vert.x would log it as an error of its own.
                .withConnectHandler(connection -> connection.exceptionHandler(
                        failure -> LOG.debugf(failure, "a connection to %s failed", connection.remoteAddress())))
                .build();
    }

    @Override
    public CompletableFuture<List<Copy<Slice>>> ask(
            InstanceAddress peer, Question question, Collection<Integer> partitions, Duration within) {
        byte[] request = PeerFormat.request(new PeerFormat.Request(partitions, question));
        return exchange(peer, HttpMethod.POST, QUESTIONS, Buffer.buffer(request), within)
                .thenApply(body -> PeerFormat.reply(body.getBytes()))
                .handle((copies, failure) -> {
                    if (failure != null) {
                        missed(peer, failure);
                        return List.of();
                    }
                    heard(peer);
                    return copies;
                });
    }

    /** What the instance says of itself, as JSON; fails when it does not answer in time. */
    public CompletableFuture<String> describe(InstanceAddress peer, Duration within) {
        return exchange(peer, HttpMethod.GET, INSTANCE, Buffer.buffer(), within).thenApply(Buffer::toString);
    }

    private CompletableFuture<Buffer> exchange(
            InstanceAddress peer, HttpMethod method, String path, Buffer body, Duration within) {
        CompletableFuture<Buffer> answer = new CompletableFuture<>();
        // Resolving, connecting, waiting for a connection, and the answer to its last byte: all within the same time.
        long timer = vertx.setTimer(
                Math.max(1, within.toMillis()),
                id -> answer.completeExceptionally(new PeerException("no answer within " + within.toMillis() + " ms")));
        // An IPv6 address takes brackets in the Host header, and none where it is connected to.
        String host = peer.host().indexOf(':') < 0 ? peer.host() : "[" + peer.host() + "]";
        client.request(new RequestOptions()
                        .setServer(SocketAddress.inetSocketAddress(peer.port(), peer.host()))
                        .setHost(host)
                        .setPort(peer.port())
                        .setMethod(method)
                        .setURI(path)
                        .putHeader("Content-Type", "application/octet-stream"))
                .compose(request -> {
                    // Its failure is told by the answer; Vert.x would make an error in the log of one that is given up.
                    request.exceptionHandler(ignored -> {});
                    answer.whenComplete((done, failure) -> abandon(request, failure));
                    // Before it is sent: an answer that came sooner than somebody looks for it would be lost.
                    Future<Buffer> whole = request.response().compose(HttpPeers::body);
                    request.send(body);
                    return whole;
                })
                .onSuccess(answer::complete)
                .onFailure(answer::completeExceptionally);
        return answer.whenComplete((done, failure) -> vertx.cancelTimer(timer));
    }

    private static Future<Buffer> body(HttpClientResponse response) {
        if (response.statusCode() == OK) {
            return response.body();
        }
        response.exceptionHandler(ignored -> {});
        return Future.failedFuture(new PeerException("status " + response.statusCode()));
    }

    /** Frees the connection of a request that nobody waits for any more. */
    private static void abandon(HttpClientRequest request, Throwable failure) {
        if (failure != null) {
            request.reset();
        }
    }

    private void missed(InstanceAddress peer, Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (silent.add(peer)) {
            LOG.warnf("instance=%s does not answer, copies answer for it: %s", peer, cause.getMessage());
        } else {
            LOG.debugf(failure, "instance=%s does not answer", peer);
        }
    }

    private void heard(InstanceAddress peer) {
        if (silent.remove(peer)) {
            LOG.infof("instance=%s answers again", peer);
        }
    }

    /** That a peer answers wrongly, or not at all. */
    private static final class PeerException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PeerException(String message) {
            super(message, null, false, false);
        }
    }
}
