package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.stockstats.stats.PaneStats;
import io.stockstats.stats.WindowStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A window's statistics as JSON: one object, the same on the output topic and in HTTP answers. */
public final class WindowStatsJson {

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
            .build();
    private static final int TYPICAL_BYTES = 512;

    private WindowStatsJson() {}

    /** The object as UTF-8 bytes. */
    public static byte[] bytes(WindowStats window) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(TYPICAL_BYTES);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            writeFields(window, json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return out.toByteArray();
    }

    /** Writes the object's fields, without its braces, so that an answer can add to them. */
    public static void writeFields(WindowStats window, JsonGenerator json) throws IOException {
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
