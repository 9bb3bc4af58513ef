package io.stockstats.wire;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.trade.Decoded;
import io.stockstats.trade.Rejection;
import io.stockstats.trade.Rejection.Reason;
import io.stockstats.trade.Skipped;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TradeDecoderTest {

    private static final Instant NOW = Instant.parse("2026-11-30T14:30:05Z");
    private static final long RECORD_MS =
            Instant.parse("2026-11-30T14:30:01.500Z").toEpochMilli();
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final TradeFormat PLAIN = TradeFormat.STOCKSTATS;
    private static final TradeFormat REKEY = new TradeFormat(
            PLAIN.fields(), PLAIN.timestampUnit(), PLAIN.types(), true, PLAIN.earliest(), PLAIN.maxFuture());

    // ---- what a trade is

    @Test
    void readsTheTradeOfTheContract() {
        // Given
        String value = "{\"type\":\"ASK\",\"ticker\":\"MMM\",\"price\":5001.25,\"size\":33,"
                + "\"timestamp\":\"2026-11-30T14:30:00.123456789Z\"}";

        // When
        Decoded decoded = decode("MMM", value);

        // Then
        long nanos = Instant.parse("2026-11-30T14:30:00Z").getEpochSecond() * 1_000_000_000 + 123_456_789;
        assertEquals(new Trade(new Ticker("MMM"), 5001.25, 33, "ASK", nanos), decoded);
    }

    @Test
    void takesTickerFromKeyAndTimeFromRecordWhenTheValueHasOnlyAPrice() {
        // When
        Decoded decoded = decode("币安人生USDT", "{\"price\":1}");

        // Then
        assertEquals(new Trade(new Ticker("币安人生USDT"), 1, 0, null, RECORD_MS * 1_000_000), decoded);
    }

    @Test
    void takesNullForAbsent() {
        // When
        Decoded decoded = decode("A", "{\"ticker\":null,\"price\":1,\"size\":null,\"type\":null,\"timestamp\":null}");

        // Then
        assertEquals(new Trade(new Ticker("A"), 1, 0, null, RECORD_MS * 1_000_000), decoded);
    }

    @Test
    void ignoresUnknownFieldsWhateverTheyHold() {
        // Given
        String value = "{\"a\":{\"price\":-1,\"ticker\":[{}]},\"b\":[1,[{\"size\":\"x\"}],\"}\"],\"price\":2,"
                + "\"c\":1e999999999999,\"Price\":3,\"d\":\"\\ud800\",\"e\":true}";

        // When / Then
        assertEquals(2, trade(decode("A", value)).price());
    }

    @Test
    void letsTheLastOfEqualFieldsCount() {
        // Given
        String value = "{\"ticker\":7,\"ticker\":\"A\",\"price\":-1,\"price\":{},\"price\":2,\"size\":\"x\",\"size\":3,"
                + "\"type\":\"ASK\",\"type\":1,\"timestamp\":true,\"timestamp\":null}";

        // When / Then
        assertEquals(new Trade(new Ticker("A"), 2, 3, null, RECORD_MS * 1_000_000), decode("A", value));
    }

    @Test
    void letsALaterFaultyFieldCountToo() {
        assertReason(Reason.INVALID_PRICE, decode("A", "{\"price\":1,\"price\":null}"));
        assertReason(Reason.INVALID_SIZE, decode("A", "{\"price\":1,\"size\":1,\"size\":-1}"));
        assertReason(Reason.INVALID_TICKER, decode("A", "{\"price\":1,\"ticker\":\"A\",\"ticker\":{}}"));
        assertReason(Reason.INVALID_TIMESTAMP, decode("A", "{\"price\":1,\"timestamp\":null,\"timestamp\":[]}"));
    }

    @Test
    void matchesFieldNamesAfterTheirEscapes() {
        assertEquals(2, trade(decode("A", "{\"\\u0070rice\":2}")).price());
    }

    @Test
    void readsFieldsByConfiguredNames() {
        // Given
        TradeFormat format = new TradeFormat(
                new TradeFields("s", "p", "q", "价", ""),
                TimestampUnit.US,
                Set.of(),
                false,
                PLAIN.earliest(),
                PLAIN.maxFuture());
        long micros = RECORD_MS * 1_000 + 7;

        // When
        Decoded decoded = new TradeDecoder(format, CLOCK)
                .decode(
                        utf8("A"),
                        utf8("{\"s\":\"A\",\"p\":1,\"q\":2,\"价\":\"T\",\"\":" + micros + ",\"ticker\":1,\"price\":-1}"),
                        0);

        // Then
        assertEquals(new Trade(new Ticker("A"), 1, 2, "T", micros * 1_000), decoded);
    }

    // ---- malformed

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n\t \r",
                "null",
                "true",
                "1",
                "\"x\"",
                "[]",
                "[{\"price\":1}]",
                "{",
                "{\"price\":1",
                "{\"price\":-1",
                "{\"price\":-1,",
                "{\"price\":1}}",
                "{\"price\":1}{",
                "{\"price\":1}{\"price\":1}",
                "{\"price\":1} 1",
                "{\"price\":1},",
                "{\"price\":1}\0",
                "{\"price\":1,}",
                "{\"price\":1 \"size\":1}",
                "{\"price\" 1}",
                "{'price':1}",
                "{price:1}",
                "{\"price\":01}",
                "{\"price\":+1}",
                "{\"price\":.5}",
                "{\"price\":5.}",
                "{\"price\":1e}",
                "{\"price\":-}",
                "{\"price\":0x10}",
                "{\"price\":1.5.5}",
                "{\"price\":NaN}",
                "{\"price\":Infinity}",
                "{\"price\":-Infinity}",
                "{\"price\":nul}",
                "{\"price\":truee}",
                "{\"price\":1/* */}",
                "{\"price\":1}//",
                "{\"price\":1,\"x\":\"\t\"}",
                "{\"price\":1,\"x\":\"\n\"}",
                "{\"price\":1,\"x\":\"\\x\"}",
                "{\"price\":1,\"x\":\"\\u12g4\"}",
                "{\"price\":1,\"x\":[}",
                "{\"price\":1,\"x\":[1,]}",
                "{\"price\":1,\"x\":[1}}",
                "{\"price\":1\u00a0}",
                "\ufeff{\"price\":1}",
                "{\"price\":1}\ufeff",
            })
    void rejectsWhatIsNotOneJsonObject(String value) {
        assertReason(Reason.MALFORMED, decode("A", value));
    }

    @Test
    void rejectsATombstone() {
        assertReason(Reason.MALFORMED, decode(PLAIN, utf8("A"), null));
    }

    @Test
    void acceptsWhiteSpaceAround() {
        assertEquals(1, trade(decode("A", " \r\n\t{ \"price\" : 1 } \r\n\t")).price());
    }

    @ParameterizedTest
    @CsvSource({
        "a lone continuation byte, 80",
        "an overlong slash, C0AF",
        "an overlong A in three bytes, E08181",
        "a UTF-16 surrogate, EDA080",
        "beyond U+10FFFF, F4908080",
        "a byte that UTF-8 never has, FF",
        "a cut sequence, E282",
    })
    void rejectsInvalidUtf8EvenInFieldsThatAreIgnored(String what, String hex) {
        // Given
        byte[] value = concat(utf8("{\"price\":1,\"x\":\"ü"), HexFormat.of().parseHex(hex), utf8("\"}"));

        // When
        Rejection rejection = assertReason(Reason.MALFORMED, decode(PLAIN, utf8("A"), value));

        // Then the detail names the byte
        assertEquals("the value is not valid UTF-8 at byte 18", rejection.detail(), what);
    }

    @Test
    void rejectsASequenceCutByTheEnd() {
        assertReason(Reason.MALFORMED, decode(PLAIN, utf8("A"), concat(utf8("{\"price\":1}"), new byte[] {(byte) 0xE2
        })));
    }

    @Test
    void doesNotGuessOtherEncodings() {
        for (Charset charset : List.of(UTF_16BE, UTF_16LE, Charset.forName("UTF-32BE"), Charset.forName("UTF-32LE"))) {
            assertReason(Reason.MALFORMED, decode(PLAIN, utf8("A"), "{\"price\":1}".getBytes(charset)));
        }
    }

    @Test
    void readsAMebibyteAndNoMore() {
        // Given
        String most = "{\"price\":1,\"x\":\"" + "y".repeat(TradeDecoder.MAX_BYTES - 19) + "\"}";

        // When / Then
        assertEquals(TradeDecoder.MAX_BYTES, most.length() + 1);
        assertEquals(1, trade(decode("A", most + " ")).price());
        assertReason(Reason.MALFORMED, decode("A", most + "  "));
    }

    @Test
    void readsWhateverFitsIntoAMebibyte() {
        String digits = "7".repeat(1_000_000);
        assertEquals(1, trade(decode("A", "{\"price\":1,\"x\":" + digits + "}")).price());
        assertEquals(
                1, trade(decode("A", "{\"price\":1,\"x\":-0." + digits + "}")).price());
        assertEquals(
                1, trade(decode("A", "{\"price\":1,\"x\":1e-" + digits + "}")).price());
        assertEquals(
                1,
                trade(decode("A", "{\"price\":1,\"x\":[\"" + digits + "\"]}")).price());
    }

    @Test
    void readsANameOfAMebibyte() {
        assertEquals(
                1,
                trade(decode("A", "{\"" + "n".repeat(1_000_000) + "\":{},\"price\":1}"))
                        .price());
    }

    @Test
    void readsManyNamesWithEqualHashes() {
        // Given names whose hashes all collide, as far as String's own hash goes
        StringBuilder value = new StringBuilder("{");
        for (int i = 0; i < 1 << 14; i++) {
            value.append('"');
            for (int bit = 0; bit < 14; bit++) {
                value.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            value.append("\":0,");
        }

        // When / Then
        assertEquals(
                1, trade(decode("A", value.append("\"price\":1}").toString())).price());
    }

    @Test
    void readsAThousandLevelsAndNoMore() {
        // Given
        String most = "[".repeat(999) + "]".repeat(999);
        String more = "[".repeat(1_000) + "]".repeat(1_000);

        // When / Then
        assertEquals(1, trade(decode("A", "{\"price\":1,\"x\":" + most + "}")).price());
        Rejection rejection = assertReason(Reason.MALFORMED, decode("A", "{\"price\":1,\"x\":" + more + "}"));
        assertEquals("the value nests deeper than 1000 levels", rejection.detail());
        assertReason(Reason.MALFORMED, decode("A", "{\"price\":" + "[".repeat(500_000)));
    }

    // ---- ticker and key

    @ParameterizedTest
    @ValueSource(strings = {"BRK.B", "BTC/USDT", "^GSPC", "0700.HK", "币安人生USDT", "...", "a", "😀"})
    void acceptsTickersAsFieldAndAsKey(String ticker) {
        assertEquals(
                ticker,
                trade(decode(ticker, "{\"ticker\":\"" + ticker + "\",\"price\":1}"))
                        .ticker()
                        .symbol());
        assertEquals(ticker, trade(decode(ticker, "{\"price\":1}")).ticker().symbol());
    }

    @Test
    void countsTheTickersCodePoints() {
        String most = "😀".repeat(64);
        assertEquals(
                most,
                trade(decode(most, "{\"ticker\":\"" + most + "\",\"price\":1}"))
                        .ticker()
                        .symbol());
        assertEquals(most, trade(decode(most, "{\"price\":1}")).ticker().symbol());
        assertReason(Reason.INVALID_TICKER, decode("A", "{\"ticker\":\"" + most + "a\",\"price\":1}"));
        assertReason(Reason.INVALID_TICKER, decode(most + "a", "{\"price\":1}"));
    }

    @Test
    void tellsCaseApart() {
        assertReason(Reason.KEY_MISMATCH, decode("mmm", "{\"ticker\":\"MMM\",\"price\":1}"));
    }

    @Test
    void missesATickerInKeyAndValue() {
        assertReason(Reason.MISSING_TICKER, decode(null, "{\"price\":1}"));
        assertReason(Reason.MISSING_TICKER, decode(null, "{\"ticker\":null,\"price\":1}"));
        assertReason(Reason.MISSING_TICKER, decode(REKEY, null, utf8("{}")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\" \"",
                "\"A B\"",
                "\"A,B\"",
                "\"A;B\"",
                "\".\"",
                "\"..\"",
                "\"\\u0000\"",
                "\"A\\n\"",
                "\"\u00a0\"",
                "\"\u2003\"",
                "\"\u0085\"",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "\"A\\ud83d\"",
                "1",
                "1.5",
                "true",
                "false",
                "{\"a\":1}",
                "[\"A\"]"
            })
    void rejectsATickerFieldOutsideTheRule(String ticker) {
        assertReason(Reason.INVALID_TICKER, decode("A", "{\"ticker\":" + ticker + ",\"price\":1}"));
        assertReason(Reason.INVALID_TICKER, decode(REKEY, null, utf8("{\"ticker\":" + ticker + ",\"price\":1}")));
    }

    @Test
    void readsAPairOfSurrogateEscapesAsOneCharacter() {
        assertEquals(
                "😀",
                trade(decode("😀", "{\"ticker\":\"\\ud83d\\ude00\",\"price\":1}"))
                        .ticker()
                        .symbol());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "A B", "A,B", ".", ".."})
    void rejectsAKeyOutsideTheRuleWhenItIsTheTicker(String key) {
        assertReason(Reason.INVALID_TICKER, decode(key, "{\"price\":1}"));
    }

    @Test
    void rejectsAKeyThatIsNotUtf8WhenItIsTheTicker() {
        byte[] key = {'A', (byte) 0xC0, (byte) 0x80};
        assertReason(Reason.INVALID_TICKER, decode(PLAIN, key, utf8("{\"price\":1}")));
        assertReason(Reason.INVALID_TICKER, decode(REKEY, key, utf8("{\"price\":1}")));
    }

    @Test
    void rejectsAKeyThatIsNotTheTicker() {
        byte[] value = utf8("{\"ticker\":\"A\",\"price\":1}");
        for (byte[] key : new byte[][] {null, {}, utf8("B"), utf8("AA"), utf8("A "), {(byte) 0xFF}, {0, 'A'}}) {
            assertReason(Reason.KEY_MISMATCH, decode(PLAIN, key, value));
        }
    }

    @Test
    void takesAnyKeyWhenTradesAreRekeyed() {
        byte[] value = utf8("{\"ticker\":\"A\",\"price\":1}");
        for (byte[] key : new byte[][] {null, {}, utf8("B"), {(byte) 0xFF}, new byte[2_000_000]}) {
            assertEquals("A", trade(decode(REKEY, key, value)).ticker().symbol());
        }
    }

    // ---- price and size

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "false",
                "{}",
                "[1]",
                "0",
                "-0",
                "-0.0",
                "0e999999999999",
                "-1",
                "-1e999999999999",
                "1e400",
                "1e-400",
                "1e999999999999",
                "1e-999999999999",
                "0.99999999999999999999e-18",
                "9.99e-19",
                "1.00000000000000000000001e18",
                "1000000000000000000.000000000001",
                "1.1e18",
                "2e18",
                "1e19",
                "\"\"",
                "\" \"",
                "\"NaN\"",
                "\"Infinity\"",
                "\"+1\"",
                "\"01\"",
                "\"1.\"",
                "\".5\"",
                "\"-.5\"",
                "\"1e\"",
                "\"1e+\"",
                "\"e1\"",
                "\" 1\"",
                "\"1 \"",
                "\"1,5\"",
                "\"1_000\"",
                "\"0x1\"",
                "\"1d\"",
                "\"1f\"",
                "\"١\"",
                "\"１\"",
                "\"-\"",
                "\"--1\"",
                "\"1-\"",
                "\"1.5.5\"",
                "\"1e5.5\"",
                "\"1e5e5\"",
                "\"null\"",
                "\"0\"",
                "\"-0\"",
                "\"-1\"",
                "\"\\u0000\"",
            })
    void rejectsAPriceThatIsNoNumberWithinTheRange(String price) {
        assertReason(Reason.INVALID_PRICE, decode("A", "{\"price\":" + price + "}"));
    }

    @Test
    void rejectsAnAbsentPrice() {
        assertReason(Reason.INVALID_PRICE, decode("A", "{}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e-18",
                "1E-18",
                "0.000000000000000001",
                "1000e-21",
                "1e18",
                "1E+18",
                "1000000000000000000",
                "1000000000000000000.000",
                "0.0001e22",
                "100000000000000000000000e-5",
                "999999999999999999.9999999",
                "0.1",
                "5001.25",
                "1.0000000000000000000000000000000001e-18",
                "12345678901234567890e-10",
                "9007199254740993",
                "0.9999999999999999999",
                "9999999999999999999e-5",
                "0.9223372036854775808",
                "9.223372036854775808",
                "0e0",
                "-0",
                "-0.000e-7"
            })
    void readsASizeAsTheNearestDouble(String size) {
        // When
        double number =
                trade(decode("A", "{\"price\":1,\"size\":" + size + "}")).size();
        double string =
                trade(decode("A", "{\"price\":1,\"size\":\"" + size + "\"}")).size();

        // Then, and 0 is the positive one
        double expected = Double.parseDouble(size) == 0 ? 0.0 : Double.parseDouble(size);
        assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(number));
        assertEquals(Double.doubleToRawLongBits(expected), Double.doubleToRawLongBits(string));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1e-400",
                "1e400",
                "9e-19",
                "1.000000000000000001e18",
                "\"\"",
                "\"x\"",
                "true",
                "{}",
                "[]",
                "\"NaN\"",
                "-1e-999999999999"
            })
    void rejectsASizeThatIsNeither0NorWithinTheRange(String size) {
        assertReason(Reason.INVALID_SIZE, decode("A", "{\"price\":1,\"size\":" + size + "}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-0.0", "0e999999999999", "0e-999999999999", "0.000", "\"0\"", "\"-0\""})
    void reads0AsASize(String size) {
        double read = trade(decode("A", "{\"price\":1,\"size\":" + size + "}")).size();
        assertEquals(Double.doubleToRawLongBits(0.0), Double.doubleToRawLongBits(read));
    }

    @Test
    void keepsTheValueAcrossAnExponentThatUndoesManyZeros() {
        String zeros = "0".repeat(500_000);
        assertEquals(
                1.25,
                trade(decode("A", "{\"price\":0." + zeros + "125e500001}")).price());
        assertEquals(
                1.25, trade(decode("A", "{\"price\":125" + zeros + "e-500002}")).price());
    }

    @Test
    void costsNoMoreThanItsLength() {
        // Given numbers on which a quadratic reader would take minutes
        String digits = "123456789".repeat(116_000);

        // When / Then
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertReason(Reason.INVALID_PRICE, decode("A", "{\"price\":" + digits + "}"));
            for (int i = 0; i < 20; i++) {
                assertEquals(
                        0.12345678912345678,
                        trade(decode("A", "{\"price\":0." + digits + "}")).price());
                assertEquals(
                        0.12345678912345678,
                        trade(decode("A", "{\"price\":\"0." + digits + "\"}")).price());
            }
            assertReason(Reason.INVALID_PRICE, decode("A", "{\"price\":1e" + digits + "}"));
            assertReason(Reason.FUTURE_TIMESTAMP, decode("A", "{\"price\":1,\"timestamp\":" + digits + "}"));
        });
    }

    @Test
    void roundsByDigitsFarBehindTheLastThatADoubleHolds() {
        // Given the number halfway between 1 and the next double, and what lies just above it
        String half = "1.00000000000000011102230246251565404236316680908203125";
        String above = half + "0".repeat(2_000) + "1";

        // When / Then
        assertEquals(1.0, trade(decode("A", "{\"price\":" + half + "}")).price());
        assertEquals(
                Math.nextUp(1.0),
                trade(decode("A", "{\"price\":" + above + "}")).price());
    }

    // ---- type

    @Test
    void carriesATypeOfUpTo32CodePoints() {
        for (String type : List.of("ASK", "", "x y", "😀".repeat(32), "x".repeat(32))) {
            assertEquals(
                    type,
                    trade(decode("A", "{\"price\":1,\"type\":\"" + type + "\"}"))
                            .type());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "1", "true", "{\"a\":[1]}", "[\"ASK\"]", "\"\\ud800\"", "\"\\ude00\\ud83d\""})
    void takesOtherTypesForAbsent(String type) {
        assertNull(trade(decode("A", "{\"price\":1,\"type\":" + type + "}")).type());
    }

    @Test
    void takesALongTypeForAbsent() {
        assertNull(trade(decode("A", "{\"price\":1,\"type\":\"" + "x".repeat(33) + "\"}"))
                .type());
        assertNull(trade(decode("A", "{\"price\":1,\"type\":\"" + "😀".repeat(33) + "\"}"))
                .type());
        assertNull(trade(decode("A", "{\"price\":1,\"type\":\"" + "x".repeat(900_000) + "\"}"))
                .type());
    }

    @Test
    void skipsTypesThatDoNotCount() {
        // Given
        TradeFormat format = new TradeFormat(
                PLAIN.fields(), TimestampUnit.MS, Set.of("ASK", "BID"), false, PLAIN.earliest(), PLAIN.maxFuture());

        // When / Then
        assertEquals(
                "ASK",
                trade(decode(format, utf8("A"), utf8("{\"price\":1,\"type\":\"ASK\"}")))
                        .type());
        assertEquals(
                "BID",
                trade(decode(format, utf8("A"), utf8("{\"price\":1,\"type\":\"BID\"}")))
                        .type());
        for (String value : List.of("{}", "{\"type\":\"ask\"}", "{\"type\":1,\"price\":-1}", "{\"type\":null}")) {
            assertEquals(Skipped.TYPE, decode(format, null, utf8(value)));
        }
        assertReason(Reason.MALFORMED, decode(format, utf8("A"), utf8("{\"type\":\"ask\"")));
        assertReason(Reason.MISSING_TICKER, decode(format, null, utf8("{\"type\":\"ASK\"}")));
    }

    // ---- timestamp

    @ParameterizedTest
    @EnumSource(TimestampUnit.class)
    void readsIntegersInTheUnit(TimestampUnit unit) {
        // Given
        TradeFormat format =
                new TradeFormat(PLAIN.fields(), unit, Set.of(), false, PLAIN.earliest(), PLAIN.maxFuture());
        long perUnit = switch (unit) {
            case S -> 1_000_000_000L;
            case MS -> 1_000_000L;
            case US -> 1_000L;
            case NS -> 1L;
        };
        long count = 1_700_000_000_000_000_000L / perUnit + 1;

        // When
        Decoded number = decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":" + count + "}"));
        Decoded string = decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":\"" + count + "\"}"));

        // Then
        assertEquals(count * perUnit, trade(number).eventNanos());
        assertEquals(count * perUnit, trade(string).eventNanos());
    }

    @ParameterizedTest
    @CsvSource({
        "9223372036854775807, FUTURE_TIMESTAMP",
        "9223372036854775808, FUTURE_TIMESTAMP",
        "99999999999999999999999999999999, FUTURE_TIMESTAMP",
        "9223372036855, FUTURE_TIMESTAMP",
        "-9223372036854775808, INVALID_TIMESTAMP",
        "-9223372036854775809, INVALID_TIMESTAMP",
        "-99999999999999999999999999999999, INVALID_TIMESTAMP",
        "-9223372036855, INVALID_TIMESTAMP",
        "0, INVALID_TIMESTAMP",
        "-0, INVALID_TIMESTAMP",
        "-1, INVALID_TIMESTAMP",
        // Seconds where milliseconds are expected lie in January 1970.
        "1764513000, INVALID_TIMESTAMP",
    })
    void saturatesIntegers(String timestamp, Reason reason) {
        for (TimestampUnit unit : TimestampUnit.values()) {
            if (unit == TimestampUnit.MS || timestamp.length() > 18 || timestamp.length() < 3) {
                TradeFormat format =
                        new TradeFormat(PLAIN.fields(), unit, Set.of(), false, PLAIN.earliest(), PLAIN.maxFuture());
                assertReason(reason, decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":" + timestamp + "}")));
                assertReason(
                        reason, decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":\"" + timestamp + "\"}")));
            }
        }
    }

    @Test
    void rejectsTimesBeyondALongEvenWhenEveryFutureIsBelieved() {
        // Given
        TradeFormat format = new TradeFormat(
                PLAIN.fields(), TimestampUnit.S, Set.of(), false, Instant.EPOCH, Duration.ofSeconds(Long.MAX_VALUE));

        // When / Then
        assertReason(
                Reason.FUTURE_TIMESTAMP,
                decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":\"9999-12-31T23:59:59Z\"}")));
        assertReason(
                Reason.FUTURE_TIMESTAMP, decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":99999999999}")));
        assertReason(
                Reason.FUTURE_TIMESTAMP,
                new TradeDecoder(format, CLOCK).decode(utf8("A"), utf8("{\"price\":1}"), Long.MAX_VALUE));
        assertEquals(
                9_000_000_000L * 1_000_000_000,
                trade(decode(format, utf8("A"), utf8("{\"price\":1,\"timestamp\":9000000000}")))
                        .eventNanos());
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T14:30:00Z, 2026-11-30T14:30:00Z",
        "2026-11-30t14:30:00z, 2026-11-30T14:30:00Z",
        "2026-11-30 14:30:00Z, 2026-11-30T14:30:00Z",
        "2026-11-30T14:30:00.1Z, 2026-11-30T14:30:00.1Z",
        "2026-11-30T14:30:00.000000001Z, 2026-11-30T14:30:00.000000001Z",
        "2026-11-30T14:30:00.1234567899999Z, 2026-11-30T14:30:00.123456789Z",
        "2026-11-30T16:30:00+02:00, 2026-11-30T14:30:00Z",
        "2026-11-30T09:00:00.5-05:30, 2026-11-30T14:30:00.5Z",
        "2026-11-30T14:30:00-00:00, 2026-11-30T14:30:00Z",
        "2026-12-01T14:29:00+23:59, 2026-11-30T14:30:00Z",
        "2024-02-29T00:00:00Z, 2024-02-29T00:00:00Z",
        "2000-02-29T00:00:00Z, 2000-02-29T00:00:00Z",
        "2016-12-31T23:59:60Z, 2017-01-01T00:00:00Z",
        "2016-12-31T23:59:60.5Z, 2017-01-01T00:00:00.5Z",
        "2017-01-01T00:59:60+01:00, 2017-01-01T00:00:00Z",
        "2016-12-31T15:59:60-08:00, 2017-01-01T00:00:00Z",
        "1990-01-01T00:00:00Z, 1990-01-01T00:00:00Z",
        "1990-01-01T00:00:00+00:00, 1990-01-01T00:00:00Z",
    })
    void readsDateTimes(String timestamp, Instant expected) {
        // When
        long nanos = trade(decode("A", "{\"price\":1,\"timestamp\":\"" + timestamp + "\"}"))
                .eventNanos();

        // Then
        assertEquals(expected, Instant.ofEpochSecond(0, nanos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\"",
                "\" \"",
                "\"x\"",
                "\"-\"",
                "\"+1764513000000\"",
                "\"01764513000000\"",
                "\"1764513000000 \"",
                "\"1764513000000.0\"",
                "\"1.764513e12\"",
                "1764513000000.0",
                "1764513000000.5",
                "1.764513e12",
                "1764513000000e0",
                "true",
                "false",
                "{}",
                "[1764513000000]",
                "\"2026-11-30\"",
                "\"2026-11-30T14:30Z\"",
                "\"2026-11-30T14:30:00\"",
                "\"2026-11-30T14:30:00.Z\"",
                "\"2026-11-30T14:30:00,5Z\"",
                "\"2026-11-30T14:30:00.5\"",
                "\"2026-11-30T14:30:00ZZ\"",
                "\"2026-11-30T14:30:00Z \"",
                "\" 2026-11-30T14:30:00Z\"",
                "\"2026-11-30  14:30:00Z\"",
                "\"2026-11-30_14:30:00Z\"",
                "\"2026-11-30T14:30:00+0200\"",
                "\"2026-11-30T14:30:00+02\"",
                "\"2026-11-30T14:30:00+02:0\"",
                "\"2026-11-30T14:30:00+02:00:00\"",
                "\"2026-11-30T14:30:00+24:00\"",
                "\"2026-11-30T14:30:00+02:60\"",
                "\"2026-11-30T14:30:00+a2:00\"",
                "\"2026-11-30T14:30:00 02:00\"",
                "\"2026-11-30T14:30:00Z[UTC]\"",
                "\"2026-11-30T24:00:00Z\"",
                "\"2026-11-30T14:60:00Z\"",
                "\"2026-11-30T14:30:60Z\"",
                "\"2026-11-30T14:30:61Z\"",
                "\"2016-12-31T23:59:60+01:00\"",
                "\"2016-12-31T23:58:60Z\"",
                "\"2026-02-29T00:00:00Z\"",
                "\"2100-02-29T00:00:00Z\"",
                "\"2026-04-31T00:00:00Z\"",
                "\"2026-00-30T00:00:00Z\"",
                "\"2026-13-30T00:00:00Z\"",
                "\"2026-11-00T00:00:00Z\"",
                "\"2026-11-32T00:00:00Z\"",
                "\"+2026-11-30T14:30:00Z\"",
                "\"-026-11-30T14:30:00Z\"",
                "\"12026-11-30T14:30:00Z\"",
                "\"2026-1-30T14:30:00.0Z\"",
                "\"２026-11-30T14:30:00Z\"",
                "\"2026/11/30T14:30:00Z\"",
                "\"2026-11-30T14.30.00Z\"",
                "\"1989-12-31T23:59:59.999999999Z\"",
                "\"1990-01-01T00:00:00+00:01\"",
                "\"0000-01-01T00:00:00Z\"",
                "\"0001-01-01T00:00:00Z\"",
            })
    void rejectsTimestampsThatCannotBeReadOrBelieved(String timestamp) {
        assertReason(Reason.INVALID_TIMESTAMP, decode("A", "{\"price\":1,\"timestamp\":" + timestamp + "}"));
    }

    @Test
    void rejectsARecordWithoutAnyTimestamp() {
        TradeDecoder decoder = new TradeDecoder(PLAIN, CLOCK);
        for (long recordMs : new long[] {-1, -2, Long.MIN_VALUE, 0, 1}) {
            assertReason(Reason.INVALID_TIMESTAMP, decoder.decode(utf8("A"), utf8("{\"price\":1}"), recordMs));
        }
    }

    @Test
    void needsNoRecordTimestampWhenTheValueHasOne() {
        Decoded decoded = new TradeDecoder(PLAIN, CLOCK)
                .decode(utf8("A"), utf8("{\"price\":1,\"timestamp\":" + RECORD_MS + "}"), -1);
        assertEquals(RECORD_MS, trade(decoded).eventMillis());
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T14:30:15Z, true",
        "2026-11-30T14:30:15.000000001Z, false",
        "9999-12-31T23:59:59.999999999Z, false",
        "2262-04-11T23:47:16.854775807Z, false",
    })
    void believesTheFutureUpToItsLimit(String timestamp, boolean believed) {
        // When
        Decoded decoded = decode("A", "{\"price\":1,\"timestamp\":\"" + timestamp + "\"}");

        // Then
        if (believed) {
            assertEquals(
                    Instant.parse(timestamp),
                    Instant.ofEpochSecond(0, trade(decoded).eventNanos()));
        } else {
            assertReason(Reason.FUTURE_TIMESTAMP, decoded);
        }
    }

    @Test
    void judgesTheRecordsTimestampLikeTheValues() {
        TradeDecoder decoder = new TradeDecoder(PLAIN, CLOCK);
        long latest = NOW.plusSeconds(10).toEpochMilli();
        long earliest = PLAIN.earliest().toEpochMilli();
        assertEquals(
                latest,
                trade(decoder.decode(utf8("A"), utf8("{\"price\":1}"), latest)).eventMillis());
        assertReason(Reason.FUTURE_TIMESTAMP, decoder.decode(utf8("A"), utf8("{\"price\":1}"), latest + 1));
        assertReason(Reason.FUTURE_TIMESTAMP, decoder.decode(utf8("A"), utf8("{\"price\":1}"), Long.MAX_VALUE));
        assertEquals(
                earliest,
                trade(decoder.decode(utf8("A"), utf8("{\"price\":1}"), earliest))
                        .eventMillis());
        assertReason(Reason.INVALID_TIMESTAMP, decoder.decode(utf8("A"), utf8("{\"price\":1}"), earliest - 1));
    }

    // ---- order and detail

    @Test
    void failsByTheFirstCheckInTheOrderOfTheTable() {
        // Given a value in which every part is wrong, repaired step by step
        String price = "\"price\":-1";
        String size = "\"size\":-1";
        String time = "\"timestamp\":\"x\"";

        // When / Then
        assertReason(Reason.MALFORMED, decode(null, "{" + price + "," + size + "," + time));
        assertReason(Reason.MISSING_TICKER, decode(null, "{" + price + "," + size + "," + time + "}"));
        assertReason(Reason.INVALID_TICKER, decode(null, "{\"ticker\":\"\"," + price + "," + size + "," + time + "}"));
        assertReason(Reason.KEY_MISMATCH, decode(null, "{" + price + "," + size + "," + time + ",\"ticker\":\"A\"}"));
        assertReason(Reason.INVALID_PRICE, decode("A", "{" + time + "," + size + "," + price + "}"));
        assertReason(Reason.INVALID_SIZE, decode("A", "{" + time + "," + size + ",\"price\":1}"));
        assertReason(Reason.INVALID_TIMESTAMP, decode("A", "{" + time + ",\"price\":1}"));
        assertReason(Reason.FUTURE_TIMESTAMP, decode("A", "{\"price\":1,\"timestamp\":\"2027-01-01T00:00:00Z\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"price\":\"12a\"} | \"price\" is \"12a\"; expected a number from 1e-18 to 1e18",
                "{} | \"price\" is absent; expected a number from 1e-18 to 1e18",
                "{\"price\":0} | \"price\" is 0; expected a number from 1e-18 to 1e18",
                "{\"price\":[1]} | \"price\" is a JSON array; expected a number from 1e-18 to 1e18",
                "{\"price\":1,\"size\":-5} | \"size\" is -5; expected 0 or a number from 1e-18 to 1e18",
                "{\"ticker\":\"B\",\"price\":1} | the key is \"A\", the ticker is \"B\"; expected the ticker as key, or"
                        + " rekey=true",
                "{\"ticker\":\"a\\nb\",\"price\":1} | \"ticker\" \"a\\u000ab\" holds the character U+000A; expected 1 to"
                        + " 64 code points without white space, control characters, comma or semicolon",
                "{\"ticker\":7} | \"ticker\" is a JSON number; expected a string",
                "{\"price\":1,\"timestamp\":\"soon\"} | \"timestamp\" is \"soon\"; expected an RFC 3339 date-time, or"
                        + " an integer in ms",
                "{\"price\":1,\"timestamp\":1764513000} | \"timestamp\" is 1970-01-21T10:08:33Z, before"
                        + " 1990-01-01T00:00:00Z; expected a later time, or an integer in ms",
                "{\"price\":1,\"timestamp\":\"2026-11-30T14:31:00Z\"} | \"timestamp\" is 2026-11-30T14:31:00Z; expected"
                        + " at most PT10S after the wall clock, which is at 2026-11-30T14:30:05Z",
                "[] | the value is a JSON array; expected one JSON object",
                "{\"price\":1 | the value ends within its JSON object, after \"{\"price\":1\"",
                "{\"price\":1}{} | the value goes on after its JSON object; expected one JSON object",
                "{\"price\":1,} | the value is not JSON at character 11, after \"{\"price\":1,\"; expected one JSON object",
            })
    void saysWhatWasSeenAndWhatWasExpected(String value, String detail) {
        Rejection rejection = assertInstanceOf(Rejection.class, decode("A", value));
        assertEquals(detail, rejection.detail());
    }

    @Test
    void keepsTheDetailShortAndEncodable() {
        // Given long values of characters that must not be cut in half or be shown as they are
        for (String seen : List.of("😀", "x😀", "\\ud800", "\\u0000", "\u202e", "\\n", "é", "\\\"")) {
            String text = "\"" + seen.repeat(3_000) + "\"";
            for (String value : List.of(
                    "{\"ticker\":" + text + "}",
                    "{\"price\":" + text + "}",
                    "{\"price\":1,\"size\":" + text + "}",
                    "{\"price\":1,\"timestamp\":" + text + "}",
                    "{\"x\":" + text + "x",
                    "{\"x\":" + text)) {
                for (String key : List.of("A", text)) {
                    // When
                    String detail = assertInstanceOf(Rejection.class, decode(key, value))
                            .detail();

                    // Then
                    assertTrue(detail.length() <= 200, detail);
                    assertEquals(detail, new String(detail.getBytes(UTF_8), UTF_8));
                    assertTrue(detail.chars().noneMatch(Character::isISOControl), detail);
                }
            }
        }
    }

    @Test
    void servesSeveralThreads() throws Exception {
        // Given
        TradeDecoder decoder = new TradeDecoder(PLAIN, CLOCK);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> tasks = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                String ticker = "T" + t;
                tasks.add(() -> {
                    boolean right = true;
                    for (int i = 1; i <= 20_000; i++) {
                        byte[] value = utf8("{\"ticker\":\"" + ticker + "\",\"price\":" + i + ",\"f" + i + "\":0}");
                        Decoded decoded = decoder.decode(utf8(ticker), value, RECORD_MS);
                        right &= decoded.equals(new Trade(new Ticker(ticker), i, 0, null, RECORD_MS * 1_000_000));
                    }
                    return right;
                });
            }

            // When / Then
            for (Future<Boolean> right : threads.invokeAll(tasks)) {
                assertTrue(right.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    // ---- format

    @Test
    void refusesAFormatThatCannotWork() {
        assertThrows(IllegalArgumentException.class, () -> new TradeFields("a", "b", "c", "d", "a"));
        assertThrows(
                IllegalArgumentException.class,
                () -> new TradeFormat(
                        PLAIN.fields(),
                        TimestampUnit.MS,
                        Set.of(),
                        false,
                        Instant.EPOCH.minusNanos(1),
                        PLAIN.maxFuture()));
        assertThrows(
                IllegalArgumentException.class,
                () -> new TradeFormat(
                        PLAIN.fields(), TimestampUnit.MS, Set.of(), false, PLAIN.earliest(), Duration.ofNanos(-1)));
    }

    private static Decoded decode(@Nullable String key, String value) {
        return decode(PLAIN, key == null ? null : utf8(key), utf8(value));
    }

    private static Decoded decode(TradeFormat format, byte @Nullable [] key, byte @Nullable [] value) {
        return new TradeDecoder(format, CLOCK).decode(key, value, RECORD_MS);
    }

    private static Trade trade(Decoded decoded) {
        return assertInstanceOf(Trade.class, decoded);
    }

    private static Rejection assertReason(Reason reason, Decoded decoded) {
        Rejection rejection = assertInstanceOf(Rejection.class, decoded);
        assertEquals(reason, rejection.reason(), rejection.detail());
        return rejection;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
