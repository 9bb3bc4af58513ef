package io.stockstats.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.TimeWindowedDeserializer;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The whole topology with its real decoder, without a broker, by a wall clock that the test moves. */
final class StreamUnderTest implements AutoCloseable {

    /** Where the wall clock stands at first. */
    static final Instant NOW = Instant.parse("2026-11-30T14:30:00Z");

    private static final ObjectMapper JSON = new ObjectMapper();

    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final PartitionTimes times = new PartitionTimes();
    final LargestRejected largestRejected = new LargestRejected();
    final RecordedLatest latest = new RecordedLatest();
    final PartitionCount partitions = new PartitionCount();
    final Topology topology;
    private final AdvanceableClock clock;
    private final StateFolder state = new StateFolder();
    private final TopologyTestDriver driver;
    private final TestInputTopic<byte[], byte[]> trades;
    private final TestOutputTopic<Windowed<String>, byte[]> output;
    private final TestOutputTopic<byte[], byte[]> rejected;

    /**
     * A window as it was written.
     *
     * @param timestamp the record's time, in milliseconds since the epoch
     */
    record Written(String ticker, long start, long timestamp, JsonNode stats) {
        boolean isFinal() {
            return stats.get("final").booleanValue();
        }

        long count() {
            return stats.get("countTrades").longValue();
        }

        double number(String field) {
            return stats.get(field).doubleValue();
        }

        WindowId id() {
            return new WindowId(ticker, start);
        }
    }

    /** Which window. */
    record WindowId(String ticker, long start) {}

    StreamUnderTest(TopologySettings settings) {
        this(settings, TradeFormat.STOCKSTATS, NOW);
    }

    StreamUnderTest(TopologySettings settings, TradeFormat format, Instant now) {
        clock = new AdvanceableClock(now);
        topology = StatsTopology.build(
                settings,
                new TradeDecoder(format, clock),
                new StreamCounters(meters),
                times,
                largestRejected,
                latest,
                partitions);
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "stockstats");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        driver = new TopologyTestDriver(topology, properties, now);
        trades = driver.createInputTopic(settings.trades(), new ByteArraySerializer(), new ByteArraySerializer());
        output = driver.createOutputTopic(
                settings.output(),
                new TimeWindowedDeserializer<>(
                        new StringDeserializer(), settings.rules().size()),
                new ByteArrayDeserializer());
        rejected =
                driver.createOutputTopic(settings.rejected(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** A trade of size 1 at so many milliseconds since the epoch, keyed by its ticker. */
    void trade(String ticker, double price, long eventMillis) {
        trade(ticker, Double.toString(price), "1", null, Long.toString(eventMillis));
    }

    /** A trade with price and size as JSON strings, keyed by its ticker; the time in the format's unit. */
    void trade(String ticker, String price, String size, @Nullable String type, String timestamp) {
        send(ticker.getBytes(UTF_8), json(ticker, price, size, type, timestamp));
    }

    static byte[] json(String ticker, String price, String size, @Nullable String type, String timestamp) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("ticker", ticker);
        fields.put("price", price);
        fields.put("size", size);
        fields.put("timestamp", timestamp);
        if (type != null) {
            fields.put("type", type);
        }
        try {
            return JSON.writeValueAsBytes(fields);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(byte @Nullable [] key, byte @Nullable [] value) {
        send(key, value, new RecordHeaders(), clock.instant());
    }

    void send(byte @Nullable [] key, byte @Nullable [] value, Headers headers, Instant recordTime) {
        trades.pipeInput(new TestRecord<>(key, value, headers, recordTime));
    }

    /** Moves the wall clock, as finely as the stream looks at it. */
    void advance(Duration by) {
        Duration step = Duration.ofMillis(10);
        Duration left = by;
        while (left.compareTo(Duration.ZERO) > 0) {
            Duration next = left.compareTo(step) < 0 ? left : step;
            clock.advance(next);
            driver.advanceWallClockTime(next);
            left = left.minus(next);
        }
    }

    long wallClock() {
        return clock.millis();
    }

    /** What was written to the output topic since the last call, in order. */
    List<Written> written() {
        List<Written> windows = new ArrayList<>();
        for (TestRecord<Windowed<String>, byte[]> each : output.readRecordsToList()) {
            try {
                windows.add(new Written(
                        each.key().key(),
                        each.key().window().start(),
                        each.getRecordTime().toEpochMilli(),
                        JSON.readTree(each.value())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return windows;
    }

    /** The last state of each window among those written. */
    static Map<WindowId, Written> lastOf(List<Written> windows) {
        Map<WindowId, Written> last = new LinkedHashMap<>();
        windows.forEach(window -> last.put(window.id(), window));
        return last;
    }

    /** The window, which must be there. */
    static Written window(Map<WindowId, Written> windows, WindowId id) {
        return Objects.requireNonNull(windows.get(id), id::toString);
    }

    /** What was written to the rejected topic since the last call, in order. */
    List<TestRecord<byte[], byte[]>> rejected() {
        return rejected.readRecordsToList();
    }

    double count(String counter, String... tags) {
        return meters.get(counter).tags(tags).counter().count();
    }

    TopologyTestDriver driver() {
        return driver;
    }

    @Override
    public void close() {
        driver.close();
        state.close();
    }
}
