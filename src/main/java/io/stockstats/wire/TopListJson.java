package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import io.stockstats.stats.WindowStats;
import java.io.IOException;

/**
 * A top list as JSON: one object, with the fields of {@code GET /top} but for what only a question can have, which is
 * the partitions that did not answer it.
 */
public final class TopListJson {

    private TopListJson() {}

    /** The object as UTF-8 bytes. */
    public static byte[] bytes(TopList list) {
        return WindowStatsJson.bytes(json -> write(list, json));
    }

    private static void write(TopList list, JsonGenerator json) throws IOException {
        json.writeNumberField("windowStart", list.window().start());
        json.writeNumberField("windowEnd", list.window().end());
        json.writeStringField("by", list.ranking().by().label());
        json.writeStringField("order", list.ranking().descending() ? "desc" : "asc");
        json.writeArrayFieldStart("top");
        for (WindowStats window : list.top()) {
            json.writeStartObject();
            WindowStatsJson.writeFields(window, json);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("complete", list.complete());
    }
}
