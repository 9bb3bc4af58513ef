package io.stockstats.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.vertx.core.json.JsonObject;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * An error as RFC 9457 describes it ({@code application/problem+json}).
 *
 * @param type always {@code about:blank}: the status says what kind of problem it is
 * @param title the status in words
 * @param status the HTTP status
 * @param detail what is wrong with this request, and what to do
 * @param parameter the parameter at fault; absent when none is
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(description = "An error, RFC 9457")
public record Problem(
        @Schema(examples = "about:blank") String type,
        @Schema(examples = "Not Found") String title,
        @Schema(examples = "404") int status,

        @Schema(examples = "No partition knows the ticker XYZ.")
        String detail,

        @Nullable String parameter) {

    static final String JSON = "application/problem+json";

    /** How long a client should wait before it asks again, in seconds. */
    static final int RETRY_AFTER_SECONDS = 1;

    /** What can be said of a status by itself. */
    static Problem of(int status) {
        return of(
                status,
                switch (status) {
                    case 400 -> "The request cannot be read; is the path percent-encoded as UTF-8?";
                    case 404 -> "There is nothing at this path. The API is described at /openapi.";
                    case 405 -> "This path does not take this method. The API is described at /openapi.";
                    case 406 -> "This path answers with application/json only.";
                    case 500 -> "The request failed inside the service; its log says why.";
                    case 503 -> "The request cannot be answered now.";
                    default -> "The request cannot be answered.";
                });
    }

    static Problem of(int status, String detail) {
        return new Problem("about:blank", title(status), status, detail, null);
    }

    static Problem badParameter(String parameter, String detail) {
        return new Problem("about:blank", title(400), 400, parameter + " " + detail, parameter);
    }

    Response response() {
        Response.ResponseBuilder response = Response.status(status).type(JSON).entity(this);
        if (status == 503) {
            response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.build();
    }

    /** The same for answers outside the REST resources. */
    String json() {
        JsonObject json = new JsonObject()
                .put("type", type)
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
        return parameter == null
                ? json.encode()
                : json.put("parameter", parameter).encode();
    }

    private static String title(int status) {
        Response.Status known = Response.Status.fromStatusCode(status);
        return known == null ? "Error" : known.getReasonPhrase();
    }
}
