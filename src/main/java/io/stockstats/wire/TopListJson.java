package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import java.io.IOException;
import java.util.List;

/**
 * A window's top list as JSON, as {@code GET /top} answers it.
 *
 * @param window the span of event time
 * @param ranking the order
 * @param top the first tickers' windows, in order
 * @param complete whether every partition has passed the window's end plus the grace, so that nothing can change
 */
public record TopListJson(Window window, Ranking ranking, List<WindowStats> top, boolean complete) {

    /** The object as UTF-8 bytes. */
    public byte[] bytes() {
        return WindowStatsJson.bytes(this::write);
    }

    private void write(JsonGenerator json) throws IOException {
        json.writeNumberField("windowStart", window.start());
        json.writeNumberField("windowEnd", window.end());
        json.writeStringField("by", ranking.by().label());
        json.writeStringField("order", ranking.descending() ? "desc" : "asc");
        json.writeArrayFieldStart("top");
        for (WindowStats each : top) {
            json.writeStartObject();
            WindowStatsJson.writeFields(each, json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("complete", complete);
    }
}
