package io.stockstats.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Between good trades lies every kind of record that is none. */
class BadRecordsIT {

    private static final long DAY = 1_760_000_000_000L;
    private static final int MIB = 1 << 20;
    private static final String LARGE = Integer.toString(3 * MIB);
    private static final String BROKER_DEFAULT = "1048588";
    private static final long NO_TIME_LIMIT = Long.MAX_VALUE;

    /** 31st of December 9999. */
    private static final long FAR_FUTURE = 253_402_214_400_000L;

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @ParameterizedTest
    @CsvSource({
        "at-least-once, " + BROKER_DEFAULT,
        "exactly-once, " + BROKER_DEFAULT,
        "at-least-once, 3145728",
        "exactly-once, 3145728",
    })
    void setsBadRecordsAsideAndGoesOn(String processing, String rejectedTopicTakes) {
        // Given an instance, and a topic that takes larger records than the service reads, of any time
        Topics topics = BENCH.freshTopics(
                1,
                Map.of("max.message.bytes", LARGE, "message.timestamp.after.max.ms", Long.toString(NO_TIME_LIMIT)),
                Map.of("max.message.bytes", rejectedTopicTakes));
        Instance instance = BENCH.instance(topics)
                .with("stockstats.processing", processing)
                .start()
                .awaitReady();
        Ledger ledger = new Ledger();
        List<Bad> bad = badRecords();
        List<Long> offsets = new ArrayList<>();
        long before = System.currentTimeMillis();

        // When bad records come between good trades
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int i = 0; i < bad.size(); i++) {
                client.sendAll(0, ledger, List.of(Sale.of("MMM", "50." + 25 * (i % 4), i, DAY + 100L * i)));
                offsets.add(client.send(bad.get(i).record(topics.trades(), i)));
            }
            client.sendAll(0, ledger, List.of(Sale.of("MMM", "51.5", 3, DAY + 100L * bad.size())));

            // Then the statistics are those of the good ones
            instance.awaitAnswer(
                    "/stats/MMM",
                    () -> assertEquals(
                            ledger.latest("MMM", 5_000, false),
                            instance.get("/stats/MMM").assertOk().as(WindowJson.class)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertEquals(ledger.windows(false), new TreeMap<>(client.lastWindows())));

            // And the bad ones lie on the rejected topic
            List<ConsumerRecord<byte[], byte[]>> rejected = client.records(topics.rejected());
            assertEquals(bad.size(), rejected.size());
            for (int i = 0; i < bad.size(); i++) {
                assertRejected(
                        bad.get(i), i, offsets.get(i), rejected.get(i), topics, Integer.parseInt(rejectedTopicTakes));
                long time = rejected.get(i).timestamp();
                assertTrue(time >= before && time <= System.currentTimeMillis(), () -> "time of rejection: " + time);
            }
        }

        // And all is counted
        assertEquals(ledger.size(), instance.metric("stockstats_trades_total"));
        assertEquals(0.0, instance.metric("stockstats_trades_late_total"));
        Map<String, Long> byReason = bad.stream().collect(Collectors.groupingBy(Bad::reason, Collectors.counting()));
        assertEquals(8, byReason.size(), () -> "a record for each reason: " + byReason);
        byReason.forEach((reason, count) -> assertEquals(
                count.doubleValue(),
                instance.metric("stockstats_trades_rejected_total{reason=\"" + reason + "\"}"),
                reason));
        assertEquals("UP", instance.health("live"));
        assertFalse(instance.log().contains("a stream thread died"), "a stream thread died");
    }

    private static void assertRejected(
            Bad bad, int number, long offset, ConsumerRecord<byte[], byte[]> rejected, Topics topics, int limit) {
        String what = "record " + number + ", " + bad.reason();
        Map<String, String> headers = headers(rejected);
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("trace", "t" + number);
        expected.put("stockstats.reason", bad.reason());
        expected.put("stockstats.detail", headers.get("stockstats.detail"));
        expected.put("stockstats.topic", topics.trades());
        expected.put("stockstats.partition", "0");
        expected.put("stockstats.offset", Long.toString(offset));
        expected.put("stockstats.timestamp", Long.toString(bad.time()));
        byte[] value = bad.value();
        if (value != null && value.length > limit) {
            expected.put("stockstats.truncated", "true");
            byte[] kept = rejected.value();
            assertTrue(kept.length > limit - 2_000 && kept.length < limit, () -> what + ": " + kept.length + " bytes");
            value = Arrays.copyOf(value, kept.length);
        }
        assertEquals(List.copyOf(expected.entrySet()), List.copyOf(headers.entrySet()), what);
        assertFalse(headers.get("stockstats.detail").isBlank(), what);
        assertArrayEquals(bad.key(), rejected.key(), what);
        assertArrayEquals(value, rejected.value(), what);
    }

    private static Map<String, String> headers(ConsumerRecord<byte[], byte[]> rejected) {
        Map<String, String> headers = new LinkedHashMap<>();
        StreamSupport.stream(rejected.headers().spliterator(), false)
                .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
        assertEquals(rejected.headers().toArray().length, headers.size(), "a header occurs twice");
        return headers;
    }

    private static List<Bad> badRecords() {
        List<Bad> bad = new ArrayList<>();
        bad.add(Bad.of("malformed", "MMM", null));
        for (String value : List.of(
                "", "null", "[]", "7", "{\"ticker\":\"MMM\",\"price\":1", "{\"ticker\":\"MMM\",\"price\":1} x")) {
            bad.add(Bad.of("malformed", "MMM", value));
        }
        bad.add(new Bad("malformed", bytes("MMM"), new byte[] {'{', (byte) 0xFF, '}'}, DAY));
        byte[] oversized = new byte[2 * MIB];
        Arrays.fill(oversized, (byte) ' ');
        byte[] trade = bytes("{\"ticker\":\"MMM\",\"price\":1}");
        System.arraycopy(trade, 0, oversized, 0, trade.length);
        bad.add(new Bad("malformed", bytes("MMM"), oversized, DAY));
        bad.add(Bad.of("missing_ticker", null, "{\"price\":1}"));
        bad.add(Bad.of("invalid_ticker", "A B", "{\"price\":1}"));
        bad.add(Bad.of("invalid_ticker", "MMM", "{\"ticker\":7,\"price\":1}"));
        bad.add(Bad.of("key_mismatch", null, "{\"ticker\":\"MMM\",\"price\":1}"));
        bad.add(Bad.of("key_mismatch", "ABT", "{\"ticker\":\"MMM\",\"price\":1}"));
        for (String price : List.of("0", "-1", "\"NaN\"", "1e400", "1e19", "true")) {
            bad.add(Bad.of("invalid_price", "MMM", "{\"ticker\":\"MMM\",\"price\":" + price + "}"));
        }
        bad.add(Bad.of("invalid_price", "MMM", "{}"));
        for (String size : List.of("-1", "1e-19", "\"many\"")) {
            bad.add(Bad.of("invalid_size", "MMM", "{\"price\":1,\"size\":" + size + "}"));
        }
        for (String timestamp : List.of("\"yesterday\"", "0", "1760000000", "1.5")) {
            bad.add(Bad.of("invalid_timestamp", "MMM", "{\"price\":1,\"timestamp\":" + timestamp + "}"));
        }
        bad.add(Bad.of("future_timestamp", "MMM", "{\"price\":1,\"timestamp\":" + FAR_FUTURE + "}"));
        bad.add(new Bad("future_timestamp", bytes("MMM"), bytes("{\"price\":1}"), FAR_FUTURE));
        bad.add(new Bad("malformed", bytes("MMM"), bytes("x"), FAR_FUTURE));
        return bad;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** A record that is no trade, and why. */
    private record Bad(String reason, byte @Nullable [] key, byte @Nullable [] value, long time) {

        static Bad of(String reason, @Nullable String key, @Nullable String value) {
            return new Bad(reason, key == null ? null : bytes(key), value == null ? null : bytes(value), DAY);
        }

        ProducerRecord<byte[], byte[]> record(String topic, int number) {
            List<Header> headers = List.of(new RecordHeader("trace", bytes("t" + number)));
            return new ProducerRecord<>(topic, 0, time, key, value, headers);
        }
    }
}
