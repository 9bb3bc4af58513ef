package io.stockstats.topology;

import io.stockstats.trade.Decoded;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TradeDecoder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Decodes the record and tells its event time. A record that is not a trade gets the partition's time: it must neither
 * move stream time nor, with a negative time, be dropped before the processor that reports it.
 */
final class EventTimeExtractor implements TimestampExtractor {

    private final TradeDecoder decoder;

    EventTimeExtractor(TradeDecoder decoder) {
        this.decoder = decoder;
    }

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        IncomingRecord incoming = (IncomingRecord) record.value();
        Decoded decoded = decoder.decode((byte[]) record.key(), incoming.value(), record.timestamp());
        incoming.decoded(decoded, record.timestamp());
        long unmoved = Math.max(0, partitionTime);
        return decoded.fold(Trade::eventMillis, rejection -> unmoved, skipped -> unmoved);
    }
}
