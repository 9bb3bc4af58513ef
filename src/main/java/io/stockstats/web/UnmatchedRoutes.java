package io.stockstats.web;

import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.URI;
import java.net.URISyntaxException;

/** Errors that arise before or beside the REST resources: undecodable paths, unknown ones, requests too large. */
@Singleton
final class UnmatchedRoutes {

    void register(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).handler(UnmatchedRoutes::refuseMalformedUri);
        for (int status : new int[] {400, 404, 405, 413, 414, 415, 431, 500, 503}) {
            router.errorHandler(status, context -> answer(context, status));
        }
    }

    /** As {@link Main} has it: Quarkus itself would answer without a body. */
    private static void refuseMalformedUri(RoutingContext context) {
        try {
            context.normalizedPath();
            new URI(context.request().uri());
        } catch (IllegalArgumentException | URISyntaxException e) {
            answer(context, 400);
            return;
        }
        context.next();
    }

    private static void answer(RoutingContext context, int status) {
        if (context.response().headWritten()) {
            return;
        }
        if (status == 503) {
            context.response().putHeader("Retry-After", Integer.toString(Problem.RETRY_AFTER_SECONDS));
        }
        context.response()
                .setStatusCode(status)
                .putHeader("Content-Type", Problem.JSON)
                .end(Problem.of(status).json());
    }
}
