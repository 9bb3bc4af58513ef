package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.WindowStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A window's statistics as JSON: the object on the output topic, which HTTP answers repeat ({@code WindowStatsView}). */
public final class WindowStatsJson {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();
    private static final int TYPICAL_BYTES = 512;

    private WindowStatsJson() {}

    /** The object as UTF-8 bytes. */
    public static byte[] bytes(WindowStats window) {
        return bytes(json -> writeFields(window, json));
    }

    /** Writes an object's fields. */
    interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] bytes(Fields fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return out.toByteArray();
    }

    /** Writes the object's fields, without its braces. */
    static void writeFields(WindowStats window, JsonGenerator json) throws IOException {
        PaneStats stats = window.stats();
        json.writeStringField("ticker", window.ticker().symbol());
        json.writeStringField("type", stats.type());
        json.writeNumberField("windowStart", window.window().start());
        json.writeNumberField("windowEnd", window.window().end());
        json.writeBooleanField("final", window.isFinal());
        json.writeNumberField("countTrades", stats.count());
        json.writeNumberField("sumPrice", stats.sum().hi());
        json.writeNumberField("minPrice", stats.min());
        json.writeNumberField("maxPrice", stats.max());
        json.writeNumberField("avgPrice", stats.average());
        json.writeNumberField("openPrice", stats.first().price());
        json.writeNumberField("closePrice", stats.last().price());
        json.writeNumberField("volume", stats.volume().hi());
        json.writeNumberField("turnover", stats.turnover().hi());
        if (stats.hasVolume()) {
            json.writeNumberField("vwap", stats.vwap());
        } else {
            json.writeNullField("vwap");
        }
        json.writeStringField("firstTradeAt", stats.first().eventTime().toString());
        json.writeStringField("lastTradeAt", stats.last().eventTime().toString());
    }
}
