package io.stockstats.topology;

import io.stockstats.trade.Rejection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.IntSupplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends what is not a trade to the rejected topic, key, value and headers untouched, with headers that say why and
 * where it came from. Its time is the time of rejection: the record's own may be what is wrong with it, and a broker
 * refuses times far in the future. What is larger than the topic takes is cut, since a record that cannot be produced
 * would stop the stream.
 */
final class RejectionReporter implements Processor<byte[], IncomingRecord, byte[], byte[]> {

    static final String REASON = "stockstats.reason";
    static final String DETAIL = "stockstats.detail";
    static final String TOPIC = "stockstats.topic";
    static final String PARTITION = "stockstats.partition";
    static final String OFFSET = "stockstats.offset";
    static final String TIMESTAMP = "stockstats.timestamp";
    static final String TRUNCATED = "stockstats.truncated";

    private static final Logger LOG = Logger.getLogger(RejectionReporter.class);

    /** An upper bound of what a batch and its only record add to key, value and headers. */
    private static final int BATCH_OVERHEAD = 128;

    private static final int HEADER_OVERHEAD = 10;

    private final StreamCounters counters;
    private final IntSupplier largestRecord;
    private ProcessorContext<byte[], byte[]> context;

    /** @param largestRecord the rejected topic's {@code max.message.bytes} */
    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    RejectionReporter(StreamCounters counters, IntSupplier largestRecord) {
        this.counters = counters;
        this.largestRecord = largestRecord;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> newContext) {
        context = newContext;
    }

    @Override
    public void process(Record<byte[], IncomingRecord> record) {
        RecordMetadata origin = context.recordMetadata().orElseThrow();
        record.value().decoded().fold(trade -> null, rejection -> report(record, rejection, origin), skipped -> null);
    }

    private @Nullable Void report(Record<byte[], IncomingRecord> record, Rejection rejection, RecordMetadata origin) {
        counters.rejected(rejection.reason());
        LOG.debugf(
                "rejected: reason=%s detail=%s topic=%s partition=%d offset=%d",
                rejection.reason().label(), rejection.detail(), origin.topic(), origin.partition(), origin.offset());
        Headers headers = new RecordHeaders(record.headers());
        Headers added = new RecordHeaders();
        add(added, REASON, rejection.reason().label());
        add(added, DETAIL, rejection.detail());
        add(added, TOPIC, origin.topic());
        add(added, PARTITION, Integer.toString(origin.partition()));
        add(added, OFFSET, Long.toString(origin.offset()));
        add(added, TIMESTAMP, Long.toString(record.value().timestamp()));
        added.forEach(headers::add);

        byte[] key = record.key();
        byte[] value = record.value().value();
        int room = largestRecord.getAsInt() - BATCH_OVERHEAD;
        if (sizeOf(key) + sizeOf(value) + sizeOf(headers) > room) {
            add(added, TRUNCATED, "true");
            headers.add(TRUNCATED, "true".getBytes(StandardCharsets.UTF_8));
            if (sizeOf(key) + sizeOf(headers) > room) {
                // Even without a value it would not fit: what says where the record lies is worth more than its
                // headers.
                headers = added;
            }
            key = cut(key, room - sizeOf(headers));
            value = cut(value, room - sizeOf(headers) - sizeOf(key));
        }
        context.forward(new Record<>(key, value, context.currentSystemTimeMs(), headers));
        return null;
    }

    private static void add(Headers headers, String name, String value) {
        headers.add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    private static int sizeOf(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }

    private static int sizeOf(Headers headers) {
        int size = 0;
        for (Header header : headers) {
            size += header.key().getBytes(StandardCharsets.UTF_8).length + sizeOf(header.value()) + HEADER_OVERHEAD;
        }
        return size;
    }

    private static byte @Nullable [] cut(byte @Nullable [] bytes, int length) {
        return bytes == null || bytes.length <= length ? bytes : Arrays.copyOf(bytes, Math.max(0, length));
    }
}
