package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.stockstats.stats.WindowStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A top list as JSON: one object, with the fields of {@code GET /top} but for what only a question can have, which is
 * the partitions that did not answer it.
 */
public final class TopListJson {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();
    private static final int TYPICAL_BYTES = 2_048;

    private TopListJson() {}

    /** The object as UTF-8 bytes. */
    public static byte[] bytes(TopList list) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
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
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return out.toByteArray();
    }
}
