package io.stockstats.web;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.stockstats.query.Stale;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** That a copy has answered; in the answer of an owner there are no such fields. */
@JsonPropertyOrder({"stale", "lag"})
public record StaleView(
        @Schema(description = "True, in the answer of a copy whose owner is away; absent otherwise", examples = "true")
        boolean stale,

        @Schema(
                description = "Changelog records that the copy was behind when last looked; null when that is unknown",
                examples = "12",
                nullable = true)
        @Nullable
        Long lag) {

    static @Nullable StaleView of(Optional<Stale> stale) {
        return stale.map(each ->
                        new StaleView(true, each.lag().isPresent() ? each.lag().getAsLong() : null))
                .orElse(null);
    }
}
