package io.stockstats.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jboss.resteasy.reactive.server.SimpleResourceInfo;

/** Times every answer: {@code stockstats_query_seconds}, by path and outcome. */
@Singleton
public final class QueryTimer {

    private static final String STARTED = QueryTimer.class.getName();

    private static final Duration[] BUCKETS = IntStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2000, 5000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    /** What has a timer of its own. */
    private record Kind(String path, String outcome) {}

    QueryTimer(MeterRegistry registry) {
        this.registry = registry;
    }

    @ServerRequestFilter
    public void started(ContainerRequestContext request) {
        request.setProperty(STARTED, System.nanoTime());
    }

    @ServerResponseFilter
    public void answered(
            ContainerRequestContext request, ContainerResponseContext response, SimpleResourceInfo resource) {
        if (request.getProperty(STARTED) instanceof Long started && resource.getMethodName() != null) {
            Kind kind = new Kind(path(resource.getMethodName()), outcome(response.getStatus()));
            timers.computeIfAbsent(kind, this::timer).record(Duration.ofNanos(System.nanoTime() - started));
        }
    }

    private Timer timer(Kind kind) {
        return Timer.builder("stockstats.query")
                .description("Time from a query's arrival to its answer")
                .tag("path", kind.path())
                .tag("outcome", kind.outcome())
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private static String path(String method) {
        return switch (method) {
            case "latest" -> "/stats/{ticker}";
            case "windows" -> "/stats/{ticker}/windows";
            case "all" -> "/stats";
            case "top" -> "/top";
            default -> "other";
        };
    }

    private static String outcome(int status) {
        return switch (status) {
            case 200 -> "found";
            case 400 -> "invalid";
            case 404 -> "unknown";
            case 503 -> "unavailable";
            default -> "failed";
        };
    }
}
