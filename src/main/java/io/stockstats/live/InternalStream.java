package io.stockstats.live;

import io.vertx.core.buffer.Buffer;

/** How an instance serves its own tickers to another; what the stream is made of, {@link Frames} says. */
public final class InternalStream {

    /** Where. */
    public static final String PATH = "/internal/v1/stream";

    public static final String CONTENT_TYPE = "application/vnd.stockstats.windows";

    /** A frame that says no more than that the instance is there: four zero bytes. */
    public static final Buffer HEARTBEAT = Buffer.buffer(new byte[Integer.BYTES]);

    private InternalStream() {}
}
