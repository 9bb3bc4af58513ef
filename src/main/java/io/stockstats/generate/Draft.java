package io.stockstats.generate;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A trade on its way to become a record, its fields as JSON text, so that any of them can be left out or spoilt.
 *
 * @param symbol the ticker, which becomes the record's key
 * @param ticker the ticker as a JSON string; null leaves the field out
 * @param price the price as JSON; null leaves the field out
 * @param size the size as JSON
 * @param eventTime what {@code timestamp} was made of
 * @param timestamp the event time as JSON
 */
record Draft(
        String symbol,
        @Nullable String ticker,
        @Nullable String price,
        String size,
        Instant eventTime,
        String timestamp) {

    private static final int USUAL_LENGTH = 128;

    static Draft of(String symbol, String tickerJson, long cents, long size, Instant eventTime) {
        return new Draft(symbol, tickerJson, money(cents), Long.toString(size), eventTime, quoted(eventTime));
    }

    Draft withTicker(@Nullable String json) {
        return new Draft(symbol, json, price, size, eventTime, timestamp);
    }

    Draft withPrice(@Nullable String json) {
        return new Draft(symbol, ticker, json, size, eventTime, timestamp);
    }

    Draft withSize(String json) {
        return new Draft(symbol, ticker, price, json, eventTime, timestamp);
    }

    Draft withTimestamp(String json) {
        return new Draft(symbol, ticker, price, size, eventTime, json);
    }

    /** The record that this trade is. */
    GeneratedTrade record() {
        return keyedBy(symbol);
    }

    /** This trade under another key, or under none. */
    GeneratedTrade keyedBy(@Nullable String key) {
        return GeneratedTrade.of(key, json());
    }

    /** The JSON object. */
    String json() {
        StringBuilder json = new StringBuilder(USUAL_LENGTH).append("{\"type\":\"ASK\"");
        if (ticker != null) {
            json.append(",\"ticker\":").append(ticker);
        }
        if (price != null) {
            json.append(",\"price\":").append(price);
        }
        return json.append(",\"size\":")
                .append(size)
                .append(",\"timestamp\":")
                .append(timestamp)
                .append('}')
                .toString();
    }

    /** {@code instant} as a JSON string in RFC 3339. */
    static String quoted(Instant instant) {
        return "\"" + instant + "\"";
    }

    /** {@code text} as a JSON string. */
    static String quoted(String text) {
        // Only these two need an escape in a ticker, which holds no control characters.
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static String money(long cents) {
        long fraction = cents % 100;
        return cents / 100 + (fraction < 10 ? ".0" : ".") + fraction;
    }
}
