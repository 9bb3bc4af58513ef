package io.stockstats.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.smallrye.common.annotation.Blocking;
import io.stockstats.query.StatsQueries;
import io.stockstats.stats.WindowRules;
import io.stockstats.store.WindowQuery;
import io.stockstats.trade.Ticker;
import jakarta.ws.rs.Encoded;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Questions about windows. */
@Path("/stats")
@Blocking // what this instance has is read from disk
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Statistics", description = "Live statistics per ticker over sliding windows")
@APIResponse(
        responseCode = "400",
        description = "A parameter is wrong; the problem names it",
        content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
@APIResponse(
        responseCode = "503",
        description = "Cannot be said now; ask again after Retry-After seconds",
        content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
public final class StatsResource {

    private static final int MOST_PER_PAGE = 1_000;
    private static final int DEFAULT_PER_PAGE = 100;

    private final StatsQueries queries;
    private final WindowRules rules;

    StatsResource(StatsQueries queries, WindowRules rules) {
        this.queries = queries;
        this.rules = rules;
    }

    @GET
    @Path("/{ticker}")
    @Operation(
            operationId = "latestWindow",
            summary = "A ticker's latest window",
            description = "The window that ends at the first advance boundary after the ticker's newest trade.")
    @APIResponse(
            responseCode = "200",
            description = "The window",
            content = @Content(schema = @Schema(implementation = WindowStatsView.class)))
    @APIResponse(
            responseCode = "404",
            description = "No partition knows the ticker",
            content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
    public CompletionStage<WindowStatsView> latest(
            @Parameter(description = "One percent-encoded path segment: BTC%2FUSDT", example = "MMM")
                    @Encoded
                    @PathParam("ticker")
                    String ticker,
            @Parameter(description = "Another size: a multiple of the advance, up to the retention", example = "PT1M")
                    @QueryParam("window")
                    @Nullable
                    String window,
            @Parameter(
                            description = Parameters.CONSISTENCY,
                            example = "strict",
                            schema =
                                    @Schema(
                                            enumeration = {"any", "strict"},
                                            defaultValue = "any"))
                    @QueryParam("consistency")
                    @Nullable
                    String consistency) {
        Ticker known = Parameters.tickerOfPath(ticker);
        return queries.latest(known, Parameters.window(window, rules), Parameters.consistency(consistency))
                .thenApply(Answers::found)
                .thenApply(found -> WindowStatsView.of(found.value(), found.stale()));
    }

    @GET
    @Path("/{ticker}/windows")
    @Operation(
            operationId = "windows",
            summary = "A ticker's windows",
            description = "The windows that start in [from, to). Windows without a trade do not exist.")
    @APIResponse(
            responseCode = "200",
            description = "A page of windows",
            content = @Content(schema = @Schema(implementation = Windows.class)))
    @APIResponse(
            responseCode = "404",
            description = "No partition knows the ticker",
            content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
    public CompletionStage<Windows> windows(
            @Parameter(description = "One percent-encoded path segment", example = "MMM") @Encoded @PathParam("ticker")
                    String ticker,
            @Parameter(
                            description = "ISO-8601 or epoch milliseconds; default one minute before to",
                            example = "2026-11-30T14:29:00Z")
                    @QueryParam("from")
                    @Nullable
                    String from,
            @Parameter(
                            description = "ISO-8601 or epoch milliseconds; default just after the newest trade",
                            example = "1764513000000")
                    @QueryParam("to")
                    @Nullable
                    String to,
            @Parameter(description = "Another size", example = "PT10S") @QueryParam("window") @Nullable String window,
            @Parameter(
                            description = "1 to 1000",
                            example = "100",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "1000",
                                            defaultValue = "100"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(
                            description = "By start",
                            example = "desc",
                            schema =
                                    @Schema(
                                            enumeration = {"asc", "desc"},
                                            defaultValue = "asc"))
                    @QueryParam("order")
                    @Nullable
                    String order,
            @Parameter(
                            description = Parameters.CONSISTENCY,
                            example = "strict",
                            schema =
                                    @Schema(
                                            enumeration = {"any", "strict"},
                                            defaultValue = "any"))
                    @QueryParam("consistency")
                    @Nullable
                    String consistency) {
        Ticker known = Parameters.tickerOfPath(ticker);
        WindowQuery query = new WindowQuery(
                Parameters.time("from", from),
                Parameters.time("to", to),
                Parameters.window(window, rules),
                Parameters.integer("limit", limit, DEFAULT_PER_PAGE, 1, MOST_PER_PAGE),
                Parameters.descending(order, false));
        if (query.from().isPresent()
                && query.to().isPresent()
                && query.from().get() > query.to().get()) {
            throw Parameters.bad("from", "must not be after to.");
        }
        return queries.windows(known, query, Parameters.consistency(consistency))
                .thenApply(Answers::found)
                .thenApply(found -> new Windows(
                        known.symbol(),
                        found.value().windows().stream()
                                .map(each -> WindowStatsView.of(each, Optional.empty()))
                                .toList(),
                        found.value().next().orElse(null),
                        StaleView.of(found.stale())));
    }

    @GET
    @Operation(operationId = "allLatest", summary = "Every ticker's latest window, by ticker")
    @APIResponse(
            responseCode = "200",
            description = "A page of windows",
            content = @Content(schema = @Schema(implementation = Stats.class)))
    public CompletionStage<Stats> all(
            @Parameter(description = "Only these, comma-separated", example = "MMM,ABT")
                    @QueryParam("tickers")
                    @Nullable
                    String tickers,
            @Parameter(description = "Begin after this ticker: a page's next", example = "ABT")
                    @QueryParam("after")
                    @Nullable
                    String after,
            @Parameter(
                            description = "1 to 1000",
                            example = "100",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "1000",
                                            defaultValue = "100"))
                    @QueryParam("limit")
                    @Nullable
                    String limit,
            @Parameter(description = "Another size", example = "PT1M") @QueryParam("window") @Nullable String window,
            @Parameter(
                            description = Parameters.CONSISTENCY,
                            example = "strict",
                            schema =
                                    @Schema(
                                            enumeration = {"any", "strict"},
                                            defaultValue = "any"))
                    @QueryParam("consistency")
                    @Nullable
                    String consistency) {
        return queries.all(
                        Parameters.tickers(tickers),
                        Parameters.after(after),
                        Parameters.integer("limit", limit, DEFAULT_PER_PAGE, 1, MOST_PER_PAGE),
                        Parameters.window(window, rules),
                        Parameters.consistency(consistency))
                .thenApply(Answers::found)
                .thenApply(found -> new Stats(
                        found.value().stats().stream().map(WindowStatsView::of).toList(),
                        found.value().next().map(Ticker::symbol).orElse(null),
                        found.value().missingPartitions().isEmpty(),
                        found.value().missingPartitions(),
                        StaleView.of(found.stale())));
    }

    /** A page of one ticker's windows. */
    public record Windows(
            @Schema(examples = "MMM") String ticker,
            List<WindowStatsView> windows,

            @Schema(
                    description = "The from (descending: the to) of the next page; null on the last",
                    examples = "1764513001000",
                    nullable = true)
            @Nullable
            Long next,

            @JsonUnwrapped @Nullable StaleView copy) {}

    /** A page of tickers' latest windows. */
    public record Stats(
            List<WindowStatsView> stats,

            @Schema(description = "The after of the next page; null on the last", examples = "MMM", nullable = true)
            @Nullable
            String next,

            @Schema(description = "Whether every partition was asked", examples = "true")
            boolean complete,

            @Schema(description = "Those that were not") List<Integer> missingPartitions,
            @JsonUnwrapped @Nullable StaleView copy) {}
}
