package io.stockstats.wire;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** How records on the trades topic are read, and which of them count. */
@ConfigMapping(prefix = "stockstats.trades")
public interface TradesConfig {

    /** Where a new group starts reading. */
    @WithDefault("earliest")
    Start start();

    /** Whether to repartition trades by ticker first: for keys that are not tickers, or producers that disagree. */
    @WithDefault("false")
    @WithConverter(TrueOrFalse.class)
    boolean rekey();

    /** The types of trades that count, as the feed writes them. Absent: all. */
    Optional<Set<String>> types();

    /** The unit of timestamps that are numbers: {@code s}, {@code ms}, {@code us} or {@code ns}. */
    @WithDefault("ms")
    TimestampUnit timestampUnit();

    /** The earliest event time that is believed; catches a wrong unit. */
    @WithDefault("1990-01-01T00:00:00Z")
    Instant earliest();

    /** How far ahead of the wall clock an event time is believed. Smaller than the grace. */
    @WithDefault("PT10S")
    Duration maxFuture();

    /** Where a new group starts reading. */
    enum Start {
        /** At the oldest trade that the topic still has. */
        EARLIEST,
        /** At trades that come after the group is made. */
        LATEST
    }
}
