package io.stockstats.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindowedDeserializer;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.WindowedSerdes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.test.TestRecord;

/**
 * The same windows as any introduction to Kafka Streams makes them: a hopping window and an aggregate that is read and
 * written for each window that holds a trade. The reference that panes are held against.
 */
final class TextbookTopology implements AutoCloseable {

    private static final Duration RETENTION = Duration.ofMinutes(10);

    private final StateFolder state = new StateFolder();
    private final TopologyTestDriver driver;
    private final TestInputTopic<String, String> input;
    private final TestOutputTopic<Windowed<String>, Aggregate> output;

    /** A window's statistics, sums exactly. */
    record Aggregate(
            long count,
            BigDecimal sum,
            double min,
            double max,
            BigDecimal volume,
            BigDecimal turnover,
            long openAt,
            double open,
            long closeAt,
            double close) {

        static final Aggregate NOTHING = new Aggregate(
                0,
                BigDecimal.ZERO,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                BigDecimal.ZERO,
                BigDecimal.ZERO,
                Long.MAX_VALUE,
                0,
                Long.MIN_VALUE,
                0);

        Aggregate plus(String trade) {
            String[] parts = trade.split(" ", -1);
            BigDecimal price = new BigDecimal(parts[0]);
            BigDecimal size = new BigDecimal(parts[1]);
            long at = Long.parseLong(parts[2]);
            return new Aggregate(
                    count + 1,
                    sum.add(price),
                    Math.min(min, price.doubleValue()),
                    Math.max(max, price.doubleValue()),
                    volume.add(size),
                    turnover.add(price.multiply(size)),
                    Math.min(openAt, at),
                    at < openAt ? price.doubleValue() : open,
                    Math.max(closeAt, at),
                    at >= closeAt ? price.doubleValue() : close);
        }

        static Serde<Aggregate> serde() {
            return Serdes.serdeFrom(
                    (topic, a) -> String.join(
                                    " ",
                                    Long.toString(a.count),
                                    a.sum.toString(),
                                    Double.toString(a.min),
                                    Double.toString(a.max),
                                    a.volume.toString(),
                                    a.turnover.toString(),
                                    Long.toString(a.openAt),
                                    Double.toString(a.open),
                                    Long.toString(a.closeAt),
                                    Double.toString(a.close))
                            .getBytes(UTF_8),
                    (topic, bytes) -> {
                        if (bytes == null) {
                            return null;
                        }
                        String[] p = new String(bytes, UTF_8).split(" ", -1);
                        return new Aggregate(
                                Long.parseLong(p[0]),
                                new BigDecimal(p[1]),
                                Double.parseDouble(p[2]),
                                Double.parseDouble(p[3]),
                                new BigDecimal(p[4]),
                                new BigDecimal(p[5]),
                                Long.parseLong(p[6]),
                                Double.parseDouble(p[7]),
                                Long.parseLong(p[8]),
                                Double.parseDouble(p[9]));
                    });
        }
    }

    TextbookTopology(Duration size, Duration advance, Duration grace) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream("in", Consumed.with(Serdes.String(), Serdes.String()))
                .groupByKey(Grouped.with(Serdes.String(), Serdes.String()))
                .windowedBy(TimeWindows.ofSizeAndGrace(size, grace).advanceBy(advance))
                .aggregate(
                        () -> Aggregate.NOTHING,
                        (ticker, trade, aggregate) -> aggregate.plus(trade),
                        // On disk it is flushed for every trade that the driver takes, which makes it a hundred times
                        // slower.
                        Materialized.<String, Aggregate>as(
                                        Stores.inMemoryWindowStore("windows", RETENTION, size, false))
                                .withKeySerde(Serdes.String())
                                .withValueSerde(Aggregate.serde()))
                .toStream()
                .to(
                        "out",
                        Produced.with(
                                WindowedSerdes.timeWindowedSerdeFrom(String.class, size.toMillis()),
                                Aggregate.serde()));
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "textbook");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        driver = new TopologyTestDriver(builder.build(), properties);
        input = driver.createInputTopic("in", new StringSerializer(), new StringSerializer());
        output = driver.createOutputTopic(
                "out",
                new TimeWindowedDeserializer<>(new StringDeserializer(), size.toMillis()),
                Aggregate.serde().deserializer());
    }

    void trade(String ticker, String price, String size, long eventMillis) {
        input.pipeInput(ticker, price + " " + size + " " + eventMillis, eventMillis);
    }

    /** The last state of each window. */
    Map<StreamUnderTest.WindowId, Aggregate> windows() {
        Map<StreamUnderTest.WindowId, Aggregate> last = new LinkedHashMap<>();
        for (TestRecord<Windowed<String>, Aggregate> each : output.readRecordsToList()) {
            last.put(
                    new StreamUnderTest.WindowId(
                            each.key().key(), each.key().window().start()),
                    each.value());
        }
        return last;
    }

    @Override
    public void close() {
        driver.close();
        state.close();
    }
}
