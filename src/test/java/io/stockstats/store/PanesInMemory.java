package io.stockstats.store;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.topology.PartitionTimes;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.PaneKey;
import io.stockstats.wire.PaneStatsSerde;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** One partition's panes in a store of Kafka Streams, and beside it the trades themselves to compare answers with. */
public final class PanesInMemory {

    /** Windows of 5 s every second, grace 30 s, retention 15 min. */
    public static final WindowRules RULES = new WindowRules(5_000, 1_000, 30_000, 900_000);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final KeyValueStore<Bytes, byte[]> store =
            Stores.inMemoryKeyValueStore("panes").get();
    private final List<Trade> trades = new ArrayList<>();

    public PanesInMemory() {
        store.init(new MockProcessorContext<Void, Void>().getStateStoreContext(), store);
        // The store's own records, as the stream writes them: no answer may take them for a pane.
        store.put(Bytes.wrap(new byte[] {0, 'g'}), new byte[] {1, 1, 0, 0, 0, 0, 0, 0, 3, -24});
        store.put(Bytes.wrap(new byte[] {0, 'c'}), new byte[8]);
    }

    /** A trade that arrives. */
    public PanesInMemory trade(String symbol, long eventMillis, double price) {
        Trade trade = new Trade(new Ticker(symbol), price, 2, "ASK", eventMillis * NANOS_PER_MILLI);
        Bytes key = Bytes.wrap(new PaneKey(trade.ticker(), RULES.paneStart(eventMillis)).bytes());
        byte[] before = store.get(key);
        PaneStats after = before == null
                ? PaneStats.of(trade, trades.size())
                : PaneStatsSerde.deserialize(before).plus(trade, trades.size());
        store.put(key, PaneStatsSerde.serialize(after));
        trades.add(trade);
        return this;
    }

    public ReadOnlyKeyValueStore<Bytes, byte[]> store() {
        return store;
    }

    PanesReader readAt(long streamTime) {
        return new PanesReader(store, new PartitionTimes.Times(streamTime, streamTime), RULES);
    }

    /** The window as its trades themselves tell it, one by one; empty when there is none. */
    Optional<WindowStats> expected(String symbol, Window window, long streamTime) {
        PaneStats stats = null;
        for (int i = 0; i < trades.size(); i++) {
            Trade trade = trades.get(i);
            if (trade.ticker().symbol().equals(symbol)
                    && trade.eventMillis() >= window.start()
                    && trade.eventMillis() < window.end()) {
                stats = stats == null ? PaneStats.of(trade, i) : stats.plus(trade, i);
            }
        }
        boolean isFinal = window.end() + RULES.grace() <= streamTime;
        return Optional.ofNullable(stats).map(known -> new WindowStats(new Ticker(symbol), window, isFinal, known));
    }

    /** All there are of these, by start, however they might be asked for. */
    List<WindowStats> expected(String symbol, long from, long to, long size, long streamTime) {
        List<WindowStats> expected = new ArrayList<>();
        for (long start = 0; start < to; start += RULES.advance()) {
            if (start >= from && start + size + RULES.retention() > streamTime) {
                expected(symbol, Window.startingAt(start, size), streamTime).ifPresent(expected::add);
            }
        }
        return expected;
    }
}
