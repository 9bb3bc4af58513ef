package io.stockstats.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client of {@code /stream} that reads all that it is sent. */
final class EventStream implements AutoCloseable {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<Stream<String>> response;
    private final Map<String, WindowJson> latest = new ConcurrentHashMap<>();
    private final List<String> unexpected = new CopyOnWriteArrayList<>();
    private final AtomicInteger events = new AtomicInteger();
    private final AtomicInteger comments = new AtomicInteger();
    private volatile boolean ended;

    private EventStream(HttpResponse<Stream<String>> response) {
        this.response = response;
        Thread reader = new Thread(this::read, "events");
        reader.setDaemon(true);
        reader.start();
    }

    static EventStream open(Instance instance, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + instance.port() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return new EventStream(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofLines()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void read() {
        try {
            response.body().forEach(line -> {
                if (line.startsWith("data: ")) {
                    WindowJson window = HttpAnswer.read(line.substring(6), WindowJson.class);
                    latest.put(window.ticker(), window);
                    events.incrementAndGet();
                } else if (line.startsWith(":")) {
                    comments.incrementAndGet();
                } else if (!line.isEmpty() && !line.equals("event: stats") && !line.startsWith("id: ")) {
                    unexpected.add(line);
                }
            });
        } catch (UncheckedIOException e) {
            // The connection broke, or the test closed it.
        } finally {
            ended = true;
        }
    }

    int status() {
        return response.statusCode();
    }

    String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The window that came last of this ticker; null when none came. */
    @Nullable
    WindowJson latest(String ticker) {
        return latest.get(ticker);
    }

    /** The tickers of which something came. */
    List<String> tickers() {
        return latest.keySet().stream().sorted().toList();
    }

    int events() {
        return events.get();
    }

    int comments() {
        return comments.get();
    }

    /** Lines that belong to no event. */
    List<String> unexpected() {
        return unexpected;
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() {
        response.body().close();
    }
}
