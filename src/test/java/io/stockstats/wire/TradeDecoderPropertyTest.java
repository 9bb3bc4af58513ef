package io.stockstats.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.trade.Decoded;
import io.stockstats.trade.Rejection;
import io.stockstats.trade.Rejection.Reason;
import io.stockstats.trade.Trade;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;

class TradeDecoderPropertyTest {

    private static final Instant NOW = Instant.parse("2026-11-30T14:30:05Z");
    private static final long RECORD_MS = NOW.toEpochMilli();
    private static final byte[] KEY = "币BTC".getBytes(UTF_8);
    private static final TradeDecoder DECODER =
            new TradeDecoder(TradeFormat.STOCKSTATS, Clock.fixed(NOW, ZoneOffset.UTC));
    private static final TradeDecoder ANY_TIME_SINCE_1970 = new TradeDecoder(
            new TradeFormat(
                    TradeFields.STOCKSTATS,
                    TimestampUnit.MS,
                    Set.of(),
                    false,
                    Instant.EPOCH,
                    Duration.ofSeconds(Long.MAX_VALUE)),
            Clock.fixed(NOW, ZoneOffset.UTC));
    private static final Pattern ENDLESS_EXPONENT = Pattern.compile("[eE][+-]?[0-9]{9}");
    private static final List<String> VALID = List.of(
            "{\"type\":\"ASK\",\"ticker\":\"币BTC\",\"price\":5001.25,\"size\":33,"
                    + "\"timestamp\":\"2026-11-30T14:30:00.123456789Z\"}",
            "{\"price\":\"1e-18\",\"size\":\"1.5E+1\",\"timestamp\":1764513000123}",
            "{\"ticker\":\"\\u5e01BTC\",\"price\":1e18,\"size\":-0.0,\"timestamp\":\"2016-12-31 15:59:60-08:00\"}",
            " {\"x\":[{\"y\":null,\"z\":[true,false]}],\"type\":\"é\\ud83d\\ude00\",\"price\":0.1,\"price\":7}\n",
            "{\"ticker\":null,\"price\":12345678901234567890e-9,\"size\":0e9,\"timestamp\":\"1764513000123\"}");

    // ---- numbers

    @Property(tries = 10_000)
    void numbersAreTheNearestDoubleOfTheExactDecimal(@ForAll("decimals") String decimal) {
        // Given
        BigDecimal exact = new BigDecimal(decimal);

        // When
        Decoded number = DECODER.decode(KEY, utf8("{\"price\":1,\"size\":" + decimal + "}"), RECORD_MS);
        Decoded string = DECODER.decode(KEY, utf8("{\"size\":\"" + decimal + "\",\"price\":1}"), RECORD_MS);

        // Then
        Optional<Double> expected =
                exact.signum() == 0 || Oracle.inRange(exact) ? Optional.of(exact.doubleValue()) : Optional.empty();
        assertEquals(expected, accepted(number, Reason.INVALID_SIZE).map(Trade::size));
        assertEquals(expected, accepted(string, Reason.INVALID_SIZE).map(Trade::size));
    }

    @Property(tries = 10_000)
    void stringsAreNumbersOnlyByJsonsGrammar(
            @ForAll @Chars({'0', '1', '7', '.', 'e', 'E', '+', '-', ' '}) @StringLength(max = 7) String text) {
        // When
        Decoded decoded = DECODER.decode(KEY, utf8("{\"price\":\"" + text + "\"}"), RECORD_MS);

        // Then
        Optional<Double> expected = Oracle.JSON_NUMBER.matcher(text).matches() && Oracle.inRange(new BigDecimal(text))
                ? Optional.of(new BigDecimal(text).doubleValue())
                : Optional.empty();
        assertEquals(expected, accepted(decoded, Reason.INVALID_PRICE).map(Trade::price));
    }

    @Provide
    Arbitrary<String> decimals() {
        Arbitrary<String> few = Arbitraries.strings().numeric().ofMaxLength(25);
        Arbitrary<String> many = Arbitraries.strings().numeric().ofMaxLength(1_500);
        Arbitrary<String> plain =
                Arbitraries.of("", "0", "1", "9", "00000", "99999999999999999999", "000000000000000001");
        Arbitrary<String> digits = Arbitraries.frequencyOf(Tuple.of(6, few), Tuple.of(1, many), Tuple.of(3, plain));
        Arbitrary<String> exponents = Arbitraries.integers()
                .between(-45, 45)
                .map(e -> "e" + e)
                .injectNull(0.3)
                .map(e -> e == null ? "" : e);
        return Combinators.combine(Arbitraries.of("", "", "", "-"), digits, digits, exponents)
                .as((sign, whole, fraction, exponent) -> {
                    String significant = whole.replaceFirst("^0+", "");
                    return sign
                            + (significant.isEmpty() ? "0" : significant)
                            + (fraction.isEmpty() ? "" : "." + fraction)
                            + exponent;
                });
    }

    // ---- date-times

    @Property(tries = 5_000)
    void dateTimesAreReadAsJavaTimeReadsThem(
            @ForAll("localDateTimes") LocalDateTime local,
            @ForAll @IntRange(min = -18 * 60, max = 18 * 60) int offsetMinutes,
            @ForAll @IntRange(max = 9) int fractionDigits) {
        // Given
        ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * offsetMinutes);
        DateTimeFormatter format = DateTimeFormatter.ofPattern(
                "uuuu-MM-dd'T'HH:mm:ss" + (fractionDigits == 0 ? "" : "." + "S".repeat(fractionDigits)) + "xxx");
        String text = local.atOffset(offset).format(format);
        Instant expected = OffsetDateTime.parse(text).toInstant();

        // When / Then
        assertReadAs(Optional.of(expected), text);
    }

    @Property(tries = 20_000)
    void alteredDateTimesAreReadOnlyWhenTheyStillAreSome(
            @ForAll("dateTimes") String text, @ForAll Random random, @ForAll @IntRange(min = 1, max = 3) int changes) {
        // Given
        StringBuilder altered = new StringBuilder(text);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(altered.length());
            char c = "0123456789-+:.TtZz 9".charAt(random.nextInt(20));
            switch (random.nextInt(6)) {
                case 0 -> altered.insert(at, c);
                case 1 -> altered.deleteCharAt(at);
                default -> altered.setCharAt(at, c);
            }
        }
        Assume.that(!altered.toString().matches("-?[0-9]*"));

        // When / Then
        assertReadAs(Oracle.dateTime(altered.toString()), altered.toString());
    }

    @Provide
    Arbitrary<LocalDateTime> localDateTimes() {
        return Combinators.combine(
                        Arbitraries.longs()
                                .between(
                                        LocalDateTime.of(0, 1, 2, 0, 0).toEpochSecond(ZoneOffset.UTC),
                                        LocalDateTime.of(9999, 12, 30, 0, 0).toEpochSecond(ZoneOffset.UTC)),
                        Arbitraries.integers().between(0, 999_999_999))
                .as((second, nano) -> LocalDateTime.ofEpochSecond(second, nano, ZoneOffset.UTC));
    }

    @Provide
    Arbitrary<String> dateTimes() {
        return Arbitraries.of(
                "2026-11-30T14:30:00Z",
                "2024-02-29 23:59:59.123456789z",
                "2016-12-31T23:59:60Z",
                "2017-01-01T00:59:60.5+01:00",
                "2016-12-31t15:59:60-08:00",
                "2100-02-28T00:00:00+00:00",
                "1970-01-01T00:00:00.000000000000001Z",
                "9999-12-31T23:59:59-23:59",
                "0000-01-01T00:00:00+23:59",
                "2262-04-11T23:47:15.999999999Z");
    }

    private static void assertReadAs(Optional<Instant> expected, String text) {
        Decoded decoded = ANY_TIME_SINCE_1970.decode(KEY, utf8("{\"price\":1,\"timestamp\":\"" + text + "\"}"), -1);
        // The last second that nanoseconds in a long reach only in part stands for every time beyond it.
        Instant beyond = Instant.ofEpochSecond(Long.MAX_VALUE / 1_000_000_000);
        if (expected.filter(instant -> !instant.isBefore(beyond)).isPresent()) {
            assertEquals(Optional.empty(), accepted(decoded, Reason.FUTURE_TIMESTAMP));
        } else {
            assertEquals(
                    expected.filter(instant -> !instant.isBefore(Instant.EPOCH)),
                    accepted(decoded, Reason.INVALID_TIMESTAMP)
                            .map(trade -> Instant.ofEpochSecond(0, trade.eventNanos())));
        }
    }

    // ---- whole records

    @Property(tries = 20_000)
    void alteredRecordsAreTradesOnlyWhenTheyStillAreSome(
            @ForAll("records") String record, @ForAll Random random, @ForAll @IntRange(max = 4) int changes) {
        // Given
        byte[] value = utf8(record);
        for (int i = 0; i < changes && value.length > 0; i++) {
            value = altered(value, random);
        }
        // A tree of BigDecimals cannot be made of such numbers.
        Assume.that(!ENDLESS_EXPONENT.matcher(new String(value, UTF_8)).find());

        // When
        Decoded decoded = DECODER.decode(KEY, value, RECORD_MS);

        // Then
        assertEquals(
                Oracle.trade(KEY, value, RECORD_MS, NOW),
                decoded.<Optional<Trade>>fold(
                        Optional::of, rejection -> Optional.empty(), skipped -> Optional.empty()));
    }

    @Property(tries = 5_000)
    void anyBytesAreDecodedToSomething(@ForAll byte[] key, @ForAll byte[] value, @ForAll long recordMs) {
        // When
        Decoded decoded = DECODER.decode(key, value, recordMs);

        // Then random bytes are no trade
        assertEquals(Reason.MALFORMED, decoded.<Object>fold(trade -> trade, Rejection::reason, skipped -> skipped));
    }

    @Provide
    Arbitrary<String> records() {
        return Arbitraries.of(VALID);
    }

    private static byte[] altered(byte[] value, Random random) {
        int at = random.nextInt(value.length);
        int to = Math.min(value.length, at + 1 + random.nextInt(8));
        byte[] with = switch (random.nextInt(6)) {
            case 0 -> new byte[0];
            case 1 -> new byte[] {(byte) random.nextInt(256)};
            case 2 -> Arrays.copyOfRange(value, at, Math.min(value.length, to + 4));
            case 3 -> new byte[] {value[random.nextInt(value.length)]};
            case 4 -> new byte[] {(byte) "0123456789eE+-.,:\"{}[]\\ ".charAt(random.nextInt(24))};
            default ->
                utf8(List.of("null", "true", "\"\"", "-1", "0", "{}", "1e5").get(random.nextInt(7)));
        };
        if (random.nextBoolean()) {
            to = at + (random.nextBoolean() ? 0 : 1);
        }
        byte[] altered = Arrays.copyOf(value, value.length - (to - at) + with.length);
        System.arraycopy(with, 0, altered, at, with.length);
        System.arraycopy(value, to, altered, at + with.length, value.length - to);
        return altered;
    }

    private static Optional<Trade> accepted(Decoded decoded, Reason otherwise) {
        return decoded.fold(
                Optional::of,
                rejection -> {
                    assertEquals(otherwise, rejection.reason(), rejection.detail());
                    return Optional.empty();
                },
                skipped -> {
                    throw new AssertionError(skipped);
                });
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }
}
