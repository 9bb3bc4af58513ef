package io.stockstats.generate;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One record for the trades topic: a trade, or what a {@link Flaw} made of one.
 *
 * <p>The arrays are not copied, since one is made for every record and read once: leave them unchanged.
 */
final class GeneratedTrade {

    private final byte @Nullable [] key;
    private final byte @Nullable [] value;

    private GeneratedTrade(byte @Nullable [] key, byte @Nullable [] value) {
        this.key = key;
        this.value = value;
    }

    static GeneratedTrade of(@Nullable String key, @Nullable String value) {
        return of(key, value == null ? null : utf8(value));
    }

    static GeneratedTrade of(@Nullable String key, byte @Nullable [] value) {
        return new GeneratedTrade(key == null ? null : utf8(key), value);
    }

    /** The ticker in UTF-8; null or something else where that is the flaw. */
    byte @Nullable [] key() {
        return key;
    }

    /** The trade as a JSON object in UTF-8; null or something else where that is the flaw. */
    byte @Nullable [] value() {
        return value;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
