package io.stockstats.web;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;

/** Starts the application. */
@QuarkusMain
public final class Main {

    private Main() {}

    public static void main(String... args) {
        // Before Quarkus's HTTP server is there: it would refuse a malformed URI without a body, ahead of every route.
        // UnmatchedRoutes refuses the same URIs, with a problem.
        System.setProperty("vertx.disableURIValidation", "true");
        Quarkus.run(args);
    }
}
