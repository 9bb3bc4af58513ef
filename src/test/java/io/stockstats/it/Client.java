package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks for every ticker in turn, a hundred times a second, one instance after the other. Where nobody listens it goes on
 * to the next, as with any balancer; whatever is answered it writes down.
 */
final class Client implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int EVERY_MS = 10;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private final List<String> tickers;
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private final ConcurrentLinkedQueue<Said> said = new ConcurrentLinkedQueue<>();
    private int asked;

    /** One answer, or that there was none ({@code status} 0). */
    private record Said(
            String ticker, int port, long nanos, int status, boolean stale, boolean retryAfter, String text) {
        boolean isAnswer() {
            return status == 200;
        }
    }

    Client(List<String> tickers, Instance... first) {
        this.tickers = tickers;
        instances.addAll(List.of(first));
        pace.scheduleAtFixedRate(this::ask, 0, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    void alsoAsk(Instance instance) {
        instances.add(instance);
    }

    void askNoMore(Instance instance) {
        instances.remove(instance);
    }

    private void ask() {
        int n = asked++;
        ask(tickers.get(n % tickers.size()), n / tickers.size() + n, instances.size());
    }

    private void ask(String ticker, int turn, int tries) {
        List<Instance> now = List.copyOf(instances);
        Instance instance = now.get(turn % now.size());
        String path = "/stats/" + URLEncoder.encode(ticker, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + instance.port() + path))
                .timeout(PATIENCE)
                .build();
        http.sendAsync(request, HttpResponse.BodyHandlers.ofString()).whenComplete((response, failure) -> {
            if (failure != null && tries > 1) {
                ask(ticker, turn + 1, tries - 1);
            } else {
                said.add(said(ticker, instance.port(), response, failure));
            }
        });
    }

    private static Said said(
            String ticker, int port, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        if (response == null) {
            return new Said(ticker, port, System.nanoTime(), 0, false, false, String.valueOf(failure));
        }
        return new Said(
                ticker,
                port,
                System.nanoTime(),
                response.statusCode(),
                response.body().contains("\"stale\":true"),
                response.headers().firstValue("Retry-After").isPresent(),
                response.body());
    }

    /** Forgets what was answered so far: an event begins. */
    long begin() {
        said.clear();
        return System.nanoTime();
    }

    /** Whether for half a second every ticker has been answered, and by its owner. */
    boolean allFresh() {
        long since = System.nanoTime() - 500_000_000;
        Map<String, Boolean> fresh = said.stream()
                .filter(each -> each.nanos >= since)
                .collect(Collectors.toMap(Said::ticker, each -> each.isAnswer() && !each.stale, (a, b) -> a && b));
        return fresh.size() == tickers.size() && fresh.values().stream().allMatch(each -> each);
    }

    /** What an event did. Only 200, and 503 with Retry-After, may be answered at any time. */
    Effect effect(long begun) {
        List<Said> all = List.copyOf(said);
        all.forEach(each ->
                assertTrue(each.isAnswer() || (each.status == 503 && each.retryAfter), () -> "answered: " + each));
        all.stream()
                .filter(each -> !each.isAnswer())
                .forEach(each -> System.out.printf(
                        "  refused %d ms after the event: %s%n", (each.nanos - begun) / 1_000_000, each));
        long lastUnsure = all.stream()
                .filter(each -> !each.isAnswer() || each.stale)
                .mapToLong(Said::nanos)
                .max()
                .orElse(begun);
        long unanswered = tickers.stream()
                .mapToLong(ticker -> longestGap(
                        begun,
                        all.stream()
                                .filter(each -> each.ticker.equals(ticker) && each.isAnswer())
                                .toList()))
                .max()
                .orElseThrow();
        return new Effect(
                all.size(),
                all.stream().filter(each -> !each.isAnswer()).count(),
                all.stream().filter(Said::stale).count(),
                Duration.ofNanos(unanswered),
                Duration.ofNanos(Math.max(0, lastUnsure - begun)));
    }

    private static long longestGap(long begun, List<Said> answers) {
        long gap = 0;
        long before = begun;
        for (Said answer :
                answers.stream().sorted(Comparator.comparingLong(Said::nanos)).toList()) {
            gap = Math.max(gap, answer.nanos - before);
            before = answer.nanos;
        }
        return gap;
    }

    /**
     * What the client saw of an event.
     *
     * @param questions how many were asked
     * @param refused how many of them were answered by 503
     * @param stale how many by a copy
     * @param unanswered the longest time that passed between two answers about one ticker
     * @param freshAfter when the last answer came that was not the owner's
     */
    record Effect(long questions, long refused, long stale, Duration unanswered, Duration freshAfter) {
        double refusedPercent() {
            return 100.0 * refused / questions;
        }
    }

    @Override
    public void close() {
        pace.shutdownNow();
    }
}
