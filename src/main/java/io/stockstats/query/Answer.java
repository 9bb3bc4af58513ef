package io.stockstats.query;

import io.stockstats.trade.Ticker;
import java.util.Optional;
import java.util.function.Function;

/** What can be said about a ticker. */
public sealed interface Answer<T> {

    /** Applies the function that fits the case. */
    <R> R fold(
            Function<Found<T>, ? extends R> found,
            Function<UnknownTicker<T>, ? extends R> unknown,
            Function<Unavailable<T>, ? extends R> unavailable);

    /**
     * It is known.
     *
     * @param stale says so when it comes from a copy that follows the partition's owner
     */
    record Found<T>(T value, Optional<Stale> stale) implements Answer<T> {
        @Override
        public <R> R fold(
                Function<Found<T>, ? extends R> found,
                Function<UnknownTicker<T>, ? extends R> unknown,
                Function<Unavailable<T>, ? extends R> unavailable) {
            return found.apply(this);
        }
    }

    /** Every partition was asked, and none knows the ticker. */
    record UnknownTicker<T>(Ticker ticker) implements Answer<T> {
        @Override
        public <R> R fold(
                Function<Found<T>, ? extends R> found,
                Function<UnknownTicker<T>, ? extends R> unknown,
                Function<Unavailable<T>, ? extends R> unavailable) {
            return unknown.apply(this);
        }
    }

    /**
     * It may be known, but not every partition can be asked now.
     *
     * @param why for the person who asked
     */
    record Unavailable<T>(String why) implements Answer<T> {
        @Override
        public <R> R fold(
                Function<Found<T>, ? extends R> found,
                Function<UnknownTicker<T>, ? extends R> unknown,
                Function<Unavailable<T>, ? extends R> unavailable) {
            return unavailable.apply(this);
        }
    }
}
