package io.stockstats.web;

import io.stockstats.stats.WindowRules;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Waits until DNS knows one of the brokers' names, before anything makes a client of Kafka: their constructors throw
 * when it knows none, and the process would end, again and again, until the cluster is there. Meanwhile the process is
 * live and started, and says what it waits for; a SIGTERM ends it with 0.
 */
@Singleton
final class BootstrapWait {

    private static final Logger LOG = Logger.getLogger(BootstrapWait.class);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final int SAID_EVERY = 30;
    private static final Problem WAITING = Problem.of(503, "The instance is starting: it waits for the broker.");

    private final List<String> servers;
    private final String host;
    private final int port;

    BootstrapWait(
            @ConfigProperty(name = "kafka.bootstrap.servers") List<String> servers,
            @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "quarkus.http.port") int port) {
        this.servers = servers;
        this.host = host;
        this.port = port;
    }

    /** The router is made before the stream and all that asks it; the rules' making refuses what is configured wrongly. */
    void await(@Observes @Priority(1) Router router, Vertx vertx, WindowRules checked) throws InterruptedException {
        if (isAnyKnown()) {
            return;
        }
        LOG.warnf("DNS knows none of kafka.bootstrap.servers=%s: waiting until it does", String.join(",", servers));
        // Quarkus's own hook waits for a start that may never come. Nothing has begun that could be ended.
        Thread end = new Thread(() -> Runtime.getRuntime().halt(0));
        Runtime.getRuntime().addShutdownHook(end);
        HttpServer server = vertx.createHttpServer().requestHandler(this::answer);
        server.listen(port, host).toCompletionStage().toCompletableFuture().join();
        for (int looked = 1; !isAnyKnown(); looked++) {
            Thread.sleep(BETWEEN.toMillis());
            if (looked % SAID_EVERY == 0) {
                LOG.warnf("still waiting for DNS to know one of %s", String.join(",", servers));
            }
        }
        server.close().toCompletionStage().toCompletableFuture().join();
        // Throws when the process is being ended, which the hook does.
        Runtime.getRuntime().removeShutdownHook(end);
        LOG.info("DNS knows a broker: starting");
    }

    private boolean isAnyKnown() {
        for (String server : servers) {
            String name = Utils.getHost(server.strip());
            try {
                // A malformed one is Kafka's to refuse.
                if (name == null || InetAddress.getAllByName(name).length > 0) {
                    return true;
                }
            } catch (UnknownHostException e) {
                LOG.debugf("DNS does not know %s", name);
            }
        }
        return false;
    }

    /** As the service answers while it waits for the broker. */
    private void answer(HttpServerRequest request) {
        switch (request.path()) {
            case "/q/health/live", "/q/health/started" -> health(request, 200, "UP");
            case "/q/health", "/q/health/ready" -> health(request, 503, "DOWN");
            default ->
                request.response()
                        .setStatusCode(503)
                        .putHeader("Content-Type", Problem.JSON)
                        .putHeader("Retry-After", Integer.toString(Problem.RETRY_AFTER_SECONDS))
                        .end(WAITING.json());
        }
    }

    private void health(HttpServerRequest request, int status, String word) {
        JsonObject check = new JsonObject()
                .put("name", "state")
                .put("status", word)
                .put(
                        "data",
                        new JsonObject().put("waitingFor", "the broker").put("unknown", String.join(",", servers)));
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json; charset=UTF-8")
                .end(new JsonObject()
                        .put("status", word)
                        .put("checks", new JsonArray().add(check))
                        .encode());
    }
}
