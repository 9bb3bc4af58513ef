package io.stockstats.web;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.smallrye.common.annotation.Blocking;
import io.stockstats.query.StatsQueries;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The question which tickers are first. */
@Path("/top")
@Blocking // what this instance has is read from disk
@Produces(MediaType.APPLICATION_JSON)
@Tag(name = "Statistics")
@APIResponse(
        responseCode = "400",
        description = "A parameter is wrong; the problem names it",
        content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
@APIResponse(
        responseCode = "503",
        description = "Cannot be said now; ask again after Retry-After seconds",
        content = @Content(mediaType = Problem.JSON, schema = @Schema(implementation = Problem.class)))
public final class TopResource {

    private static final int MOST = 100;
    private static final int DEFAULT = 3;
    private static final long DEFAULT_WINDOW_MS = 10_000;

    private final StatsQueries queries;
    private final WindowRules rules;

    TopResource(StatsQueries queries, WindowRules rules) {
        this.queries = queries;
        this.rules = rules;
    }

    @GET
    @Operation(
            operationId = "top",
            summary = "The tickers with the highest or lowest figure",
            description =
                    "Over the window that ends at the first advance boundary after the newest trade of all, the same"
                            + " for every ticker. Equal figures by ticker.")
    @APIResponse(
            responseCode = "200",
            description = "The tickers' windows, first comes first",
            content = @Content(schema = @Schema(implementation = Top.class)))
    public CompletionStage<Top> top(
            @Parameter(
                            description = "The figure",
                            example = "volume",
                            schema =
                                    @Schema(
                                            enumeration = {
                                                "volume",
                                                "minPrice",
                                                "maxPrice",
                                                "avgPrice",
                                                "vwap",
                                                "turnover",
                                                "countTrades",
                                                "changePercent"
                                            },
                                            defaultValue = "volume"))
                    @QueryParam("by")
                    @Nullable
                    String by,
            @Parameter(
                            description = "desc: the highest first",
                            example = "asc",
                            schema =
                                    @Schema(
                                            enumeration = {"asc", "desc"},
                                            defaultValue = "desc"))
                    @QueryParam("order")
                    @Nullable
                    String order,
            @Parameter(
                            description = "How many, 1 to 100",
                            example = "3",
                            schema =
                                    @Schema(
                                            type = SchemaType.INTEGER,
                                            minimum = "1",
                                            maximum = "100",
                                            defaultValue = "3"))
                    @QueryParam("n")
                    @Nullable
                    String n,
            @Parameter(description = "The window's size; default PT10S", example = "PT1M")
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
        Ranking ranking = new Ranking(Parameters.rankedBy(by), Parameters.descending(order, true));
        return queries.top(
                        ranking,
                        Parameters.integer("n", n, DEFAULT, 1, MOST),
                        Parameters.window(window, rules, DEFAULT_WINDOW_MS),
                        Parameters.consistency(consistency))
                .thenApply(Answers::found)
                .thenApply(found -> new Top(
                        found.value().window().map(Window::start).orElse(null),
                        found.value().window().map(Window::end).orElse(null),
                        ranking.by().label(),
                        ranking.descending() ? "desc" : "asc",
                        found.value().top().stream().map(WindowStatsView::of).toList(),
                        found.value().missingPartitions().isEmpty(),
                        found.value().missingPartitions(),
                        StaleView.of(found.stale())));
    }

    /** The first tickers of one window. */
    public record Top(
            @Schema(description = "Epoch milliseconds; null before the first trade", nullable = true) @Nullable
            Long windowStart,

            @Schema(description = "Epoch milliseconds; null before the first trade", nullable = true) @Nullable
            Long windowEnd,

            @Schema(examples = "volume") String by,
            @Schema(examples = "desc") String order,
            List<WindowStatsView> top,

            @Schema(description = "Whether every partition was asked", examples = "true")
            boolean complete,

            @Schema(description = "Those that were not") List<Integer> missingPartitions,
            @JsonUnwrapped @Nullable StaleView copy) {}
}
