package io.stockstats.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.WindowedSerdes;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.state.WindowStore;

/**
 * What one writes with the DSL: hopping windows of 5 s that advance by 1 s, grace 30 s, JSON by databind, everything
 * else Kafka's default but for the commit interval, which is that of the service.
 */
final class Textbook {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SIZE_MS = 5_000;

    private Textbook() {}

    /** A trade as its JSON has it. */
    public static final class StockTrade {
        public String type = "";
        public String ticker = "";
        public double price;
        public double size;
        public long timestamp;
    }

    /** What a window keeps. */
    public static final class StockStats {
        public String ticker = "";
        public String type = "";
        public long countTrades;
        public double sumPrice;
        public double minPrice = Double.POSITIVE_INFINITY;
        public double maxPrice;
        public double avgPrice;
        public double openPrice;
        public double closePrice;
        public double volume;
        public double turnover;

        StockStats plus(StockTrade trade) {
            ticker = trade.ticker;
            type = trade.type;
            if (countTrades == 0) {
                openPrice = trade.price;
            }
            countTrades++;
            sumPrice += trade.price;
            minPrice = Math.min(minPrice, trade.price);
            maxPrice = Math.max(maxPrice, trade.price);
            avgPrice = sumPrice / countTrades;
            closePrice = trade.price;
            volume += trade.size;
            turnover += trade.price * trade.size;
            return this;
        }
    }

    /** Arguments: bootstrap servers, topic of trades, output topic, application id, state directory, threads. */
    public static void main(String[] args) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(args[1], Consumed.with(Serdes.String(), json(StockTrade.class)))
                .groupByKey(Grouped.with(Serdes.String(), json(StockTrade.class)))
                .windowedBy(TimeWindows.ofSizeAndGrace(Duration.ofMillis(SIZE_MS), Duration.ofSeconds(30))
                        .advanceBy(Duration.ofSeconds(1)))
                .aggregate(
                        StockStats::new,
                        (ticker, trade, stats) -> stats.plus(trade),
                        Materialized.<String, StockStats, WindowStore<Bytes, byte[]>>as("stats")
                                .withKeySerde(Serdes.String())
                                .withValueSerde(json(StockStats.class)))
                .toStream()
                .to(
                        args[2],
                        Produced.with(
                                WindowedSerdes.timeWindowedSerdeFrom(String.class, SIZE_MS), json(StockStats.class)));
        Properties config = new Properties();
        config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, args[3]);
        config.put(StreamsConfig.STATE_DIR_CONFIG, args[4]);
        config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, args[5]);
        config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000);
        config.put("auto.offset.reset", "earliest");
        KafkaStreams streams = new KafkaStreams(builder.build(), config);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING) {
                System.out.println(Subject.RUNNING);
            }
        });
        streams.setGlobalStateRestoreListener(new StateRestoreListener() {
            private final Map<TopicPartition, Long> since = new ConcurrentHashMap<>();

            @Override
            public void onRestoreStart(TopicPartition changelog, String store, long from, long to) {
                since.put(changelog, System.nanoTime());
            }

            @Override
            public void onBatchRestored(TopicPartition changelog, String store, long end, long records) {}

            @Override
            public void onRestoreEnd(TopicPartition changelog, String store, long records) {
                System.out.printf(
                        "restore done: partition=%d records=%d ms=%d%n",
                        changelog.partition(), records, (System.nanoTime() - since.get(changelog)) / 1_000_000);
            }
        });
        Subject.awaitGo();
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
    }

    private static <T> Serde<T> json(Class<T> type) {
        Serializer<T> serializer = (topic, value) -> {
            try {
                return JSON.writeValueAsBytes(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        Deserializer<T> deserializer = (topic, bytes) -> {
            try {
                return bytes == null ? null : JSON.readValue(bytes, type);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        return Serdes.serdeFrom(serializer, deserializer);
    }
}
