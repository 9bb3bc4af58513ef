package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What came back over HTTP.
 *
 * @param status the status
 * @param headers the first value of each header, whatever the name's case
 * @param body the body
 */
record HttpAnswer(int status, Map<String, String> headers, String body) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();

    /** The answer to a GET. */
    static HttpAnswer get(String base, String path) {
        return send(HttpRequest.newBuilder(URI.create(base + path)).build());
    }

    /** The answer to a POST. */
    static HttpAnswer post(String base, String path, String contentType, String body) {
        return send(HttpRequest.newBuilder(URI.create(base + path))
                .header("Content-Type", contentType)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static HttpAnswer send(HttpRequest request) {
        // A request's own timeout ends with the headers: a body without end would be waited for.
        CompletableFuture<HttpResponse<String>> answer = HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
        try {
            return of(answer.get(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new UncheckedIOException(new HttpTimeoutException("no whole answer to " + request));
        } catch (ExecutionException e) {
            throw new UncheckedIOException(request.toString(), new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static HttpAnswer of(HttpResponse<String> response) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
        return new HttpAnswer(response.statusCode(), headers, response.body());
    }

    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + this, e);
        }
    }

    <T> T as(Class<T> type) {
        return read(body, type);
    }

    static <T> T read(String json, Class<T> type) {
        try {
            return JSON.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not a " + type.getSimpleName() + ": " + json, e);
        }
    }

    HttpAnswer assertOk() {
        assertEquals(200, status, this::toString);
        assertTrue(contentType().startsWith("application/json"), this::toString);
        return this;
    }

    /** That this is a problem as RFC 9457 has it, and tells nothing of the service's inside. */
    HttpAnswer assertProblem(int expected, @Nullable String parameter) {
        assertEquals(expected, status, this::toString);
        assertEquals("application/problem+json", contentType(), this::toString);
        JsonNode problem = json();
        assertEquals("about:blank", problem.path("type").asText(), this::toString);
        assertEquals(expected, problem.path("status").asInt(), this::toString);
        assertFalse(problem.path("title").asText().isBlank(), this::toString);
        assertFalse(problem.path("detail").asText().isBlank(), this::toString);
        assertEquals(
                parameter == null ? "" : parameter, problem.path("parameter").asText(), this::toString);
        assertFalse(body.contains("Exception") || body.contains("io.stockstats"), this::toString);
        if (expected == 503) {
            assertTrue(Integer.parseInt(headers.getOrDefault("Retry-After", "0")) > 0, this::toString);
        }
        return this;
    }

    /** The value of a metric's line, without its comment lines: its name, and its labels if it has any. */
    double metric(String nameAndLabels) {
        return body.lines()
                .filter(line -> line.startsWith(nameAndLabels + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(nameAndLabels.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + nameAndLabels));
    }

    String contentType() {
        return headers.getOrDefault("Content-Type", "");
    }
}
