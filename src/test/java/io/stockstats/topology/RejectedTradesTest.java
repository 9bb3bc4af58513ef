package io.stockstats.topology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.topology.StreamUnderTest.WindowId;
import io.stockstats.topology.StreamUnderTest.Written;
import io.stockstats.trade.Rejection.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RejectedTradesTest {

    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;
    private static final Instant RECORD_TIME = StreamUnderTest.NOW.minusSeconds(77);
    private static final List<String> ADDED = List.of(
            "stockstats.reason",
            "stockstats.detail",
            "stockstats.topic",
            "stockstats.partition",
            "stockstats.offset",
            "stockstats.timestamp");

    /** A record that is not a trade. */
    @SuppressWarnings("ArrayRecordComponent") // compared with nothing
    record Bad(Reason reason, byte @Nullable [] key, byte @Nullable [] value) {
        Bad(Reason reason, String value) {
            this(reason, utf8("MMM"), utf8(value));
        }

        @Override
        public String toString() {
            return reason + " " + (value == null ? "tombstone" : new String(value, UTF_8));
        }
    }

    static Stream<Bad> bad() {
        return Stream.of(
                new Bad(Reason.MALFORMED, ""),
                new Bad(Reason.MALFORMED, utf8("MMM"), null),
                new Bad(Reason.MALFORMED, null, null),
                new Bad(Reason.MALFORMED, "null"),
                new Bad(Reason.MALFORMED, "[{\"price\":1}]"),
                new Bad(Reason.MALFORMED, "{\"price\":1"),
                new Bad(Reason.MALFORMED, "{\"price\":1} x"),
                new Bad(Reason.MALFORMED, utf8("MMM"), new byte[] {'{', '"', (byte) 0xC3, '"', ':', '1', '}'}),
                new Bad(Reason.MISSING_TICKER, null, utf8("{\"price\":1}")),
                new Bad(Reason.INVALID_TICKER, utf8("A B"), utf8("{\"price\":1}")),
                new Bad(Reason.KEY_MISMATCH, null, utf8("{\"ticker\":\"MMM\",\"price\":1}")),
                new Bad(Reason.KEY_MISMATCH, "{\"ticker\":\"AAPL\",\"price\":1}"),
                new Bad(Reason.INVALID_PRICE, "{\"price\":0}"),
                new Bad(Reason.INVALID_PRICE, "{\"price\":1e400}"),
                new Bad(Reason.INVALID_SIZE, "{\"price\":1,\"size\":-1}"),
                new Bad(Reason.INVALID_TIMESTAMP, "{\"price\":1,\"timestamp\":\"yesterday\"}"),
                new Bad(Reason.INVALID_TIMESTAMP, "{\"price\":1,\"timestamp\":-5}"),
                new Bad(Reason.FUTURE_TIMESTAMP, "{\"price\":1,\"timestamp\":99999999999999}"));
    }

    @Test
    void everyReasonIsPartOfThisTest() {
        // Then
        assertEquals(
                List.of(Reason.values()),
                bad().map(Bad::reason).distinct().sorted().toList());
    }

    @ParameterizedTest
    @MethodSource("bad")
    void aRejectedRecordIsKeptUntouchedAndChangesNothing(Bad bad) {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            stream.trade("MMM", 5, T);
            stream.advance(Duration.ofSeconds(3));
            stream.written();
            RecordHeaders headers = new RecordHeaders(List.of(
                    new RecordHeader("trace", new byte[] {0, (byte) 0xFF}),
                    new RecordHeader("trace", null),
                    new RecordHeader("stockstats.reason", utf8("an earlier one"))));

            // When
            stream.send(bad.key(), bad.value(), headers, RECORD_TIME);

            // Then
            List<TestRecord<byte[], byte[]>> rejected = stream.rejected();
            assertEquals(1, rejected.size());
            TestRecord<byte[], byte[]> record = rejected.get(0);
            assertArrayEquals(bad.key(), record.key());
            assertArrayEquals(bad.value(), record.value());
            assertEquals(stream.wallClock(), record.timestamp());
            Header[] written = record.headers().toArray();
            assertEquals(headers.toArray().length + ADDED.size(), written.length);
            assertArrayEquals(headers.toArray(), Arrays.copyOf(written, headers.toArray().length));
            assertEquals(bad.reason().label(), text(record, "stockstats.reason"));
            assertTrue(!text(record, "stockstats.detail").isBlank());
            assertEquals("stocks", text(record, "stockstats.topic"));
            assertEquals("0", text(record, "stockstats.partition"));
            assertEquals("1", text(record, "stockstats.offset"));
            assertEquals(Long.toString(RECORD_TIME.toEpochMilli()), text(record, "stockstats.timestamp"));
            for (Reason reason : Reason.values()) {
                assertEquals(
                        reason == bad.reason() ? 1 : 0,
                        stream.count("stockstats.trades.rejected", "reason", reason.label()));
            }
            assertEquals(new PartitionTimes.Times(T, T), stream.times.of(0), "stream time");
            stream.advance(Duration.ofSeconds(1));
            assertEquals(List.of(), stream.written());
        }
    }

    @Test
    void goodTradesBetweenBadOnesCountAsIfTheseWereNotThere() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            List<Bad> bad = bad().toList();

            // When: bad ones first of all, between the good ones, and last
            for (int i = 0; i < bad.size(); i++) {
                stream.send(bad.get(i).key(), bad.get(i).value());
                stream.trade("MMM", i + 1, T + i);
                stream.send(bad.get(i).key(), bad.get(i).value());
            }
            stream.advance(Duration.ofSeconds(1));

            // Then
            Map<WindowId, Written> last = StreamUnderTest.lastOf(stream.written());
            assertEquals(5, last.size());
            Written window = StreamUnderTest.window(last, new WindowId("MMM", T));
            assertEquals(bad.size(), window.count());
            assertEquals(1, window.number("openPrice"));
            assertEquals(bad.size(), window.number("closePrice"));
            assertEquals(2 * bad.size(), stream.rejected().size());
        }
    }

    @Test
    void aTradeOfTheFutureDoesNotMakeOthersLate() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: the first time after the most that is believed
            long future = stream.wallClock() + 10_001;
            stream.trade("MMM", 1, T);

            // When
            stream.trade("MMM", 1, future);
            stream.trade("MMM", 1, T - 29_000);

            // Then
            assertEquals(1, stream.rejected().size());
            assertEquals(0, stream.count("stockstats.trades.late"));
            assertEquals(2, stream.count("stockstats.trades"));
            stream.trade("MMM", 1, future - 1);
            assertEquals(3, stream.count("stockstats.trades"), "the last time that is believed");
        }
    }

    @Test
    void aRejectThatComesFirstIsReportedThoughThereIsNoStreamTimeYet() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // When
            stream.send(null, utf8("x"));

            // Then
            assertEquals(1, stream.rejected().size());
        }
    }

    @Test
    void aRecordThatTheTopicCannotTakeIsCut() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            byte[] value = new byte[2 << 20];
            Arrays.fill(value, (byte) 'x');
            RecordHeaders headers = new RecordHeaders(List.of(new RecordHeader("trace", utf8("42"))));

            // When
            stream.send(utf8("MMM"), value, headers, RECORD_TIME);

            // Then
            TestRecord<byte[], byte[]> record = stream.rejected().get(0);
            assertEquals("malformed", text(record, "stockstats.reason"));
            assertEquals("true", text(record, "stockstats.truncated"));
            assertEquals("42", text(record, "trace"), "headers that fit are kept");
            assertArrayEquals(utf8("MMM"), record.key());
            assertArrayEquals(Arrays.copyOf(value, record.value().length), record.value());
            assertFits(record, LargestRejected.BROKER_DEFAULT);
            assertTrue(record.value().length > LargestRejected.BROKER_DEFAULT - 1_000, "not cut more than needed");
        }
    }

    @Test
    void headersThatTheTopicCannotTakeGiveWayToThoseThatSayWhereTheRecordLies() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            RecordHeaders headers = new RecordHeaders();
            for (int i = 0; i < 20_000; i++) {
                headers.add("h" + i, new byte[60]);
            }

            // When
            stream.send(utf8("MMM"), utf8("not a trade"), headers, RECORD_TIME);

            // Then
            TestRecord<byte[], byte[]> record = stream.rejected().get(0);
            assertArrayEquals(utf8("MMM"), record.key());
            assertArrayEquals(utf8("not a trade"), record.value());
            assertEquals("true", text(record, "stockstats.truncated"));
            assertEquals("0", text(record, "stockstats.offset"));
            assertEquals(ADDED.size() + 1, record.headers().toArray().length);
            assertFits(record, LargestRejected.BROKER_DEFAULT);
        }
    }

    @Test
    void whateverTheSizesOfKeyValueAndHeadersTheRejectFits() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given: a topic that takes little
            int limit = 5_000;
            stream.largestRejected.topicTakes(limit);
            Random random = new Random(7);
            int cut = 0;

            for (int i = 0; i < 500; i++) {
                byte[] key = random.nextInt(4) == 0 ? null : new byte[random.nextInt(9_000) / (1 + i % 3)];
                byte[] value = random.nextInt(4) == 0 ? null : new byte[random.nextInt(9_000) / (1 + i % 5)];
                List<Header> headers = new ArrayList<>();
                for (int h = random.nextInt(60); h > 0; h--) {
                    byte[] of = random.nextInt(5) == 0 ? null : new byte[random.nextInt(100)];
                    headers.add(new RecordHeader("é".repeat(random.nextInt(20)), of));
                }

                // When
                stream.send(key, value, new RecordHeaders(headers), RECORD_TIME);

                // Then
                TestRecord<byte[], byte[]> record = stream.rejected().get(0);
                assertFits(record, limit);
                boolean truncated = record.headers().lastHeader("stockstats.truncated") != null;
                if (truncated) {
                    cut++;
                } else {
                    assertArrayEquals(key, record.key());
                    assertArrayEquals(value, record.value());
                    assertEquals(headers.size() + ADDED.size(), record.headers().toArray().length);
                }
                assertEquals(key == null, record.key() == null);
                assertEquals(value == null, record.value() == null);
            }
            assertTrue(cut > 50 && cut < 450, "both cases must be part of this test: " + cut);
        }
    }

    @Test
    void aRecordThatJustFitsIsNotCut() {
        try (StreamUnderTest stream = new StreamUnderTest(new SettingsBuilder().build())) {
            // Given
            byte[] value = new byte[LargestRejected.BROKER_DEFAULT - 2_000];

            // When
            stream.send(utf8("MMM"), value);

            // Then
            TestRecord<byte[], byte[]> record = stream.rejected().get(0);
            assertArrayEquals(value, record.value());
            assertNull(record.headers().lastHeader("stockstats.truncated"));
        }
    }

    private static void assertFits(TestRecord<byte[], byte[]> record, int limit) {
        int size = AbstractRecords.estimateSizeInBytesUpperBound(
                RecordBatch.CURRENT_MAGIC_VALUE,
                CompressionType.NONE,
                record.key(),
                record.value(),
                record.headers().toArray());
        assertTrue(size <= limit, () -> size + " bytes are more than " + limit);
    }

    private static String text(TestRecord<byte[], byte[]> record, String header) {
        return new String(record.headers().lastHeader(header).value(), UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}
