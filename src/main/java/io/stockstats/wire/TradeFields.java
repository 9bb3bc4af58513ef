package io.stockstats.wire;

import java.util.Set;

/**
 * Where a trade's parts stand in its JSON object: the names of the object's own fields, all different.
 *
 * @param ticker the field that names what was traded
 * @param price the field of the price
 * @param size the field of the traded amount
 * @param type the field of the kind of trade
 * @param timestamp the field of the event time
 */
public record TradeFields(String ticker, String price, String size, String type, String timestamp) {

    /** Stockstats' own names. */
    public static final TradeFields STOCKSTATS = new TradeFields("ticker", "price", "size", "type", "timestamp");

    /**
     * @throws IllegalArgumentException if one field is named for two parts
     */
    public TradeFields {
        // Set.of refuses duplicates and names the one that it met.
        Set.of(ticker, price, size, type, timestamp);
    }
}
