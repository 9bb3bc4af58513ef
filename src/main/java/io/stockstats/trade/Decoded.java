package io.stockstats.trade;

import java.util.function.Function;

/** What a record turned out to be: a trade to aggregate, a rejected record, or one that does not count. */
public sealed interface Decoded permits Trade, Rejection, Skipped {

    /** Applies the function that fits the case. */
    <T> T fold(
            Function<? super Trade, ? extends T> trade,
            Function<? super Rejection, ? extends T> rejection,
            Function<? super Skipped, ? extends T> skipped);
}
