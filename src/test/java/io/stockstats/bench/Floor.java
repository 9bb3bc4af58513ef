package io.stockstats.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.stockstats.stats.PaneStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The least that must be done: a plain consumer that reads the JSON and keeps panes of a second in a hash map. It has
 * no changelog, no output, no checks and no queries, and forgets nothing.
 */
final class Floor {

    private static final JsonFactory JSON = new JsonFactory();
    private static final long NANOS_PER_MILLI = 1_000_000;

    private record Key(String ticker, long pane) {}

    private final Map<Key, PaneStats> panes = new HashMap<>();

    private Floor() {}

    /** Arguments: bootstrap servers, topic, group. Begins when a byte comes on standard input; is ended by a signal. */
    public static void main(String[] args) throws IOException {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                args[0],
                "group.id",
                args[2],
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                true,
                "auto.commit.interval.ms",
                1_000);
        Subject.awaitGo();
        Floor floor = new Floor();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(args[1]));
            System.out.println(Subject.RUNNING);
            while (true) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    floor.add(record);
                }
            }
        }
    }

    private void add(ConsumerRecord<byte[], byte[]> record) throws IOException {
        String ticker = "";
        String type = "";
        double price = 0;
        double size = 0;
        long time = 0;
        try (JsonParser parser = JSON.createParser(record.value())) {
            parser.nextToken();
            for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                parser.nextToken();
                switch (name) {
                    case "type" -> type = parser.getText();
                    case "ticker" -> ticker = parser.getText();
                    case "price" -> price = parser.getDoubleValue();
                    case "size" -> size = parser.getDoubleValue();
                    case "timestamp" -> time = parser.getLongValue();
                    default -> parser.skipChildren();
                }
            }
        }
        Trade trade = new Trade(new Ticker(ticker), price, size, type, time * NANOS_PER_MILLI);
        panes.merge(new Key(ticker, time / 1_000), PaneStats.of(trade, record.offset()), PaneStats::merge);
    }
}
