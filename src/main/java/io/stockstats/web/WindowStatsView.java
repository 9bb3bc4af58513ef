package io.stockstats.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.stockstats.query.Row;
import io.stockstats.query.Stale;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.WindowStats;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A window's statistics, the same object as on the output topic ({@code WindowStatsJson}; a test compares them), and
 * whether a copy told them.
 */
@Schema(name = "WindowStats", description = "The statistics of one ticker's window, [windowStart, windowEnd)")
@JsonPropertyOrder({"ticker", "type", "windowStart", "windowEnd", "final"})
public record WindowStatsView(
        @Schema(examples = "MMM") String ticker,

        @Schema(description = "The trades' type when all agree, else null", examples = "ASK", nullable = true) @Nullable
        String type,

        @Schema(description = "Epoch milliseconds", examples = "1764512995000")
        long windowStart,

        @Schema(description = "Epoch milliseconds", examples = "1764513000000")
        long windowEnd,

        @JsonProperty("final") @Schema(description = "Whether the window can no longer change", examples = "false")
        boolean isFinal,

        @Schema(examples = "10") long countTrades,
        @Schema(examples = "50012.5") double sumPrice,
        @Schema(examples = "4999.5") double minPrice,
        @Schema(examples = "5003.0") double maxPrice,
        @Schema(examples = "5001.25") double avgPrice,
        @Schema(examples = "5000.0") double openPrice,
        @Schema(examples = "5002.0") double closePrice,
        @Schema(examples = "512") double volume,
        @Schema(examples = "2560640.0") double turnover,

        @Schema(
                description = "Volume-weighted average price; null without volume",
                examples = "5001.25",
                nullable = true)
        @Nullable
        Double vwap,

        @Schema(examples = "2026-11-30T14:29:55.004Z") String firstTradeAt,
        @Schema(examples = "2026-11-30T14:29:59.870Z") String lastTradeAt,

        @JsonUnwrapped @Nullable StaleView copy) {

    static WindowStatsView of(Row row) {
        return of(row.window(), row.stale());
    }

    static WindowStatsView of(WindowStats window, Optional<Stale> stale) {
        PaneStats stats = window.stats();
        return new WindowStatsView(
                window.ticker().symbol(),
                stats.type(),
                window.window().start(),
                window.window().end(),
                window.isFinal(),
                stats.count(),
                stats.sum().hi(),
                stats.min(),
                stats.max(),
                stats.average(),
                stats.first().price(),
                stats.last().price(),
                stats.volume().hi(),
                stats.turnover().hi(),
                stats.hasVolume() ? stats.vwap() : null,
                stats.first().eventTime().toString(),
                stats.last().eventTime().toString(),
                StaleView.of(stale));
    }
}
