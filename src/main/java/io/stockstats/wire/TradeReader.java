package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.stockstats.trade.Trade;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Takes a trade's parts from one JSON object without judging them, since whether the value is JSON at all is known only
 * at its end. Of a field that occurs more than once the last counts.
 */
final class TradeReader {

    private final TradeFields fields;
    private @Nullable String ticker;
    private @Nullable String tickerKind;
    private final DecimalField price = new DecimalField();
    private final DecimalField size = new DecimalField();
    private @Nullable String type;
    private final TimestampField timestamp;

    TradeReader(TradeFields fields, TimestampUnit unit) {
        this.fields = fields;
        this.timestamp = new TimestampField(unit);
    }

    /** The ticker's text, whatever it is; null when it is absent or no string. */
    @Nullable
    String ticker() {
        return ticker;
    }

    /** What stands in place of the ticker's text, fit to be shown; null when nothing does. */
    @Nullable
    String tickerKind() {
        return tickerKind;
    }

    DecimalField price() {
        return price;
    }

    DecimalField size() {
        return size;
    }

    /** The kind of trade; null when there is none that can be taken over. */
    @Nullable
    String type() {
        return type;
    }

    TimestampField timestamp() {
        return timestamp;
    }

    /** Reads the object whose start the parser is at, to its end. */
    void read(JsonParser parser) throws IOException {
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            JsonToken token = parser.nextToken();
            if (name.equals(fields.ticker())) {
                readTicker(token, parser);
            } else if (name.equals(fields.price())) {
                price.read(token, parser);
            } else if (name.equals(fields.size())) {
                size.read(token, parser);
            } else if (name.equals(fields.type())) {
                readType(token, parser);
            } else if (name.equals(fields.timestamp())) {
                timestamp.read(token, parser);
            }
            parser.skipChildren();
        }
    }

    private void readTicker(JsonToken token, JsonParser parser) throws IOException {
        ticker = token == JsonToken.VALUE_STRING ? parser.getText() : null;
        tickerKind = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NULL ? null : Seen.kind(token);
    }

    private void readType(JsonToken token, JsonParser parser) throws IOException {
        type = token == JsonToken.VALUE_STRING && isType(parser) ? parser.getText() : null;
    }

    private static boolean isType(JsonParser parser) throws IOException {
        int length = parser.getTextLength();
        if (length > 2 * Trade.MAX_TYPE_CODE_POINTS) {
            return false;
        }
        char[] text = parser.getTextCharacters();
        int from = parser.getTextOffset();
        int codePoints = 0;
        for (int i = from; i < from + length; codePoints++) {
            int c = Character.codePointAt(text, i, from + length);
            if (Character.getType(c) == Character.SURROGATE) {
                return false;
            }
            i += Character.charCount(c);
        }
        return codePoints <= Trade.MAX_TYPE_CODE_POINTS;
    }
}
