package io.stockstats.it;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * One trade as a test sends it.
 *
 * @param ticker what is traded; the record's key too
 * @param type the kind
 * @param price the price; in quarters, so that sums of them are exact and can be asked for to the last bit
 * @param size the traded amount
 * @param at event time, in milliseconds since the epoch
 */
record Sale(String ticker, String type, BigDecimal price, long size, long at) {

    static Sale of(String ticker, String price, long size, long at) {
        return new Sale(ticker, "ASK", new BigDecimal(price), size, at);
    }

    byte[] key() {
        return ticker.getBytes(StandardCharsets.UTF_8);
    }

    byte[] value() {
        return """
                {"type":"%s","ticker":"%s","price":%s,"size":%d,"timestamp":%d}""".formatted(type, ticker, price, size, at).getBytes(StandardCharsets.UTF_8);
    }
}
