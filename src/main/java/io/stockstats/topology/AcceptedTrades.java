package io.stockstats.topology;

import io.stockstats.trade.Skipped;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Lets trades through, keyed by ticker, and counts what does not count. */
final class AcceptedTrades implements Processor<byte[], IncomingRecord, Ticker, Trade> {

    private final StreamCounters counters;
    private ProcessorContext<Ticker, Trade> context;

    @SuppressWarnings("NullAway.Init") // Kafka Streams calls init before anything else
    AcceptedTrades(StreamCounters counters) {
        this.counters = counters;
    }

    @Override
    public void init(ProcessorContext<Ticker, Trade> newContext) {
        context = newContext;
    }

    @Override
    public void process(Record<byte[], IncomingRecord> record) {
        record.value().decoded().fold(trade -> forward(record, trade), rejection -> null, this::count);
    }

    private @Nullable Void forward(Record<byte[], IncomingRecord> record, Trade trade) {
        context.forward(new Record<>(trade.ticker(), trade, record.timestamp()));
        return null;
    }

    private @Nullable Void count(Skipped skipped) {
        counters.skipped(skipped);
        return null;
    }
}
