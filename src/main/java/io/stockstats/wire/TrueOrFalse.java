package io.stockstats.wire;

import org.eclipse.microprofile.config.spi.Converter;

/**
 * Reads {@code true} and {@code false} and nothing else: other settings' values are chosen by these words, so that one
 * written otherwise would count here and not there.
 */
public final class TrueOrFalse implements Converter<Boolean> {

    private static final long serialVersionUID = 1;

    @Override
    public Boolean convert(String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException("is \"" + value + "\"; expected true or false");
        }
        return Boolean.valueOf(value);
    }
}
