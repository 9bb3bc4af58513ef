package io.stockstats.topology;

import java.util.function.IntSupplier;

/** The largest record that the rejected topic takes, in bytes: the broker's default until the topic was looked at. */
public final class LargestRejected implements IntSupplier {

    /** What Kafka's brokers take unless told otherwise. */
    public static final int BROKER_DEFAULT = 1_048_588;

    /** The service's producer sends no request larger than this, whatever the topic takes. */
    private static final int PRODUCER_LIMIT = 16 << 20;

    /**
     * The least that a topic the service writes to must take: the producer's {@code batch.size}. A broker that refuses a
     * whole batch is sent it again in batches of that size, for ever.
     */
    public static final int LEAST = 16_384;

    private volatile int bytes = BROKER_DEFAULT;

    @Override
    public int getAsInt() {
        return bytes;
    }

    /** Sets what the topic takes, its {@code max.message.bytes}. */
    public void topicTakes(int maxMessageBytes) {
        bytes = Math.min(PRODUCER_LIMIT, maxMessageBytes);
    }
}
