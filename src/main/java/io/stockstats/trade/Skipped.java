package io.stockstats.trade;

import java.util.function.Function;

/** A well-formed record that does not count, by configuration or by its feed's nature. */
public enum Skipped implements Decoded {
    /** A trade of a type that {@code stockstats.trades.types} leaves out. */
    TYPE("type"),
    /** A frame of the feed that is not a trade: a heartbeat, a quote, a subscription's answer. */
    FRAME("frame");

    private final String label;

    Skipped(String label) {
        this.label = label;
    }

    /** The reason as metrics name it. */
    public String label() {
        return label;
    }

    @Override
    public <T> T fold(
            Function<? super Trade, ? extends T> trade,
            Function<? super Rejection, ? extends T> rejection,
            Function<? super Skipped, ? extends T> skipped) {
        return skipped.apply(this);
    }
}
