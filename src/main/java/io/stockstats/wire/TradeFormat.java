package io.stockstats.wire;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/**
 * How the records of the trades topic are read, and which of them are believed.
 *
 * @param fields where a trade's parts stand
 * @param timestampUnit the unit of timestamps that are integers
 * @param types the types of trade that count; all when empty
 * @param rekey whether trades are repartitioned by ticker, so that a record's key need not be its ticker
 * @param earliest the earliest event time that is believed; not before the epoch, because Kafka knows no record time
 *     before it
 * @param maxFuture how far ahead of the wall clock an event time may be, and still be believed; not negative
 */
public record TradeFormat(
        TradeFields fields,
        TimestampUnit timestampUnit,
        Set<String> types,
        boolean rekey,
        Instant earliest,
        Duration maxFuture) {

    /** What holds when nothing is configured. */
    public static final TradeFormat STOCKSTATS = new TradeFormat(
            TradeFields.STOCKSTATS,
            TimestampUnit.MS,
            Set.of(),
            false,
            Instant.parse("1990-01-01T00:00:00Z"),
            Duration.ofSeconds(10));

    /**
     * @throws IllegalArgumentException if {@code earliest} or {@code maxFuture} is outside its bounds
     */
    public TradeFormat {
        types = Set.copyOf(types);
        if (earliest.isBefore(Instant.EPOCH)) {
            throw new IllegalArgumentException("earliest is " + earliest + ", before the epoch");
        }
        if (maxFuture.isNegative()) {
            throw new IllegalArgumentException("maxFuture is negative: " + maxFuture);
        }
    }
}
