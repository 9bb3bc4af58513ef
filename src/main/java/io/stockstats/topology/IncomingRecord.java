package io.stockstats.topology;

import io.stockstats.trade.Decoded;
import org.jspecify.annotations.Nullable;

/**
 * A record's value on its way in. Kafka Streams asks for its event time before any processor sees it, and event time is
 * inside; so the timestamp extractor decodes, once, and leaves the result here for the processor.
 */
final class IncomingRecord {

    private final byte @Nullable [] value;
    private @Nullable Decoded decoded;
    private long timestamp;

    IncomingRecord(byte @Nullable [] value) {
        this.value = value;
    }

    /** The bytes as they came; null for a tombstone. */
    byte @Nullable [] value() {
        return value;
    }

    void decoded(Decoded result, long recordTimestamp) {
        decoded = result;
        timestamp = recordTimestamp;
    }

    /** The record's own timestamp, in milliseconds since the epoch; negative when it has none. */
    long timestamp() {
        return timestamp;
    }

    /**
     * What the bytes turned out to be.
     *
     * @throws IllegalStateException if the timestamp extractor has not seen this record
     */
    Decoded decoded() {
        if (decoded == null) {
            throw new IllegalStateException("the topology's timestamp extractor must see every record first");
        }
        return decoded;
    }
}
