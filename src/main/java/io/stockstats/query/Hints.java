package io.stockstats.query;

import io.stockstats.topology.StatsTopology;
import io.stockstats.trade.Ticker;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a ticker most likely lies: where it was found last, or else where Kafka's own partitioner would have put it. Only
 * a hint, since its producers may choose otherwise tomorrow.
 */
final class Hints {

    private static final int MOST = 50_000;

    /** What the partitioner would not have told. */
    private final Map<Ticker, Integer> elsewhere = Collections.synchronizedMap(new LatelyUsed());

    int of(Ticker ticker, int partitions) {
        int remembered = elsewhere.getOrDefault(ticker, partitions);
        return remembered < partitions ? remembered : guess(ticker, partitions);
    }

    void found(Ticker ticker, int partition, int partitions) {
        if (partition == guess(ticker, partitions)) {
            elsewhere.remove(ticker);
        } else {
            elsewhere.put(ticker, partition);
        }
    }

    private static int guess(Ticker ticker, int partitions) {
        return StatsTopology.partitionOf(ticker.symbol().getBytes(StandardCharsets.UTF_8), partitions);
    }

    /** Forgets who was not asked for longest, so that it cannot grow for ever. */
    private static final class LatelyUsed extends LinkedHashMap<Ticker, Integer> {
        private static final long serialVersionUID = 1L;

        LatelyUsed() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ticker, Integer> eldest) {
            return size() > MOST;
        }
    }
}
