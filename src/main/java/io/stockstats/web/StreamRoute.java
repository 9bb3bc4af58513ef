package io.stockstats.web;

import io.quarkus.runtime.ShutdownEvent;
import io.stockstats.live.InternalStream;
import io.stockstats.live.LiveHub;
import io.stockstats.trade.Ticker;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/**
 * {@code GET /stream}: latest windows as server-sent events. {@code META-INF/openapi.yaml} describes it. What the
 * client received last ({@code Last-Event-ID}) does not matter: a stream begins with each ticker's current window.
 */
@Singleton
final class StreamRoute {

    private static final Buffer FIRST_COMMENT = Buffer.buffer(": the latest window of each ticker, as it changes\n\n");

    private final LiveHub hub;

    StreamRoute(LiveHub hub) {
        this.hub = hub;
    }

    void register(@Observes Router router) {
        router.route("/stream").handler(getOnly(this::stream));
        router.route(InternalStream.PATH).handler(getOnly(this::relay));
    }

    void stop(@Observes ShutdownEvent event) {
        hub.close();
    }

    private Handler<RoutingContext> getOnly(Handler<RoutingContext> handler) {
        return context -> {
            if (!context.request().method().equals(HttpMethod.GET)) {
                context.response().putHeader("Allow", "GET");
                answer(context, Problem.of(405, "This path takes GET only. The API is described at /openapi."));
            } else if (hub.isClosed()) {
                context.response().putHeader("Retry-After", "1");
                answer(context, Problem.of(503, "The service is stopping; ask again, and another instance answers."));
            } else {
                handler.handle(context);
            }
        };
    }

    private void stream(RoutingContext context) {
        Set<Ticker> only;
        try {
            List<String> tickers = context.queryParam("tickers");
            only = Parameters.tickers(tickers.isEmpty() || tickers.get(0).isEmpty() ? null : tickers.get(0));
        } catch (ProblemException e) {
            answer(context, e.problem());
            return;
        }
        context.response()
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-cache")
                // nginx would hold events back to fill a buffer.
                .putHeader("X-Accel-Buffering", "no");
        ResponseOutlet.begin(context, hub, FIRST_COMMENT, outlet -> hub.watch(only, outlet));
    }

    private void relay(RoutingContext context) {
        context.response().putHeader("Content-Type", InternalStream.CONTENT_TYPE);
        ResponseOutlet.begin(context, hub, InternalStream.HEARTBEAT, hub::relay);
    }

    private static void answer(RoutingContext context, Problem problem) {
        HttpServerResponse response = context.response();
        response.setStatusCode(problem.status())
                .putHeader("Content-Type", Problem.JSON)
                .end(problem.json());
    }
}
