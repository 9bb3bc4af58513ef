package io.stockstats.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WindowStatsSerdeTest {

    private static final WindowStats WINDOW = window("MMM", 1_000, 6_000, false, pane("ASK"));

    /** Where the ticker's length, its bytes, the start and the end lie in {@link #WINDOW}'s bytes. */
    private static final int TICKER_AT = 3;

    private static final int END_AT = TICKER_AT + 3 + Long.BYTES;

    static Stream<WindowStats> windows() {
        return Stream.of(
                WINDOW,
                window("BTC/USDT", 0, 5_000, true, pane(null)),
                window("币安人生USDT", 1_700_000_000_000L, 1_700_000_900_000L, true, pane("")),
                window("𝒳".repeat(64), -5_000, Long.MAX_VALUE, false, pane("😀".repeat(16))),
                window("A", 0, 1, false, pane("ASK").plus(trade("BID"), 18)));
    }

    @ParameterizedTest
    @MethodSource("windows")
    void aWindowIsReadAsItWasWritten(WindowStats window) throws IOException {
        // Given: another one behind it
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(bytes(window));
        bytes.write(bytes(WINDOW));

        // When
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));

        // Then
        assertEquals(window, WindowStatsSerde.read(in));
        assertEquals(WINDOW, WindowStatsSerde.read(in));
        assertEquals(-1, in.read());
    }

    @Test
    void theFormatIsTheOneOfVersionOne() throws IOException {
        // When: an instance of the version before must be able to read it
        byte[] bytes = bytes(window("MMM", 1_000, 6_000, true, pane("ASK")));

        // Then
        assertEquals(
                "01" + "0003" + "4d4d4d" // ticker
                        + "00000000000003e8" // start
                        + "0000000000001770" // end
                        + "01" // final
                        + "007d" // length of the pane
                        + HexFormat.of().formatHex(PaneStatsSerde.serialize(pane("ASK"))),
                HexFormat.of().formatHex(bytes));
    }

    @Test
    void aWindowOfAFutureVersionIsRefusedRatherThanMisread() throws IOException {
        // Given
        byte[] bytes = bytes(WINDOW);
        bytes[0] = 2;

        // When
        UnknownFormatException refused = assertThrows(UnknownFormatException.class, () -> read(bytes));

        // Then
        assertEquals(
                "a window from another instance has format version 2, and this version of Stockstats reads version 1"
                        + " only",
                refused.getMessage());
    }

    @Test
    void everyTruncationIsNoticed() throws IOException {
        byte[] bytes = bytes(WINDOW);
        for (int length = 0; length < bytes.length; length++) {
            // Given
            byte[] cut = Arrays.copyOf(bytes, length);

            // When, then
            assertThrows(EOFException.class, () -> read(cut));
        }
    }

    @Test
    void whatIsNotATickerIsRefused() throws IOException {
        // Given
        byte[] bytes = bytes(WINDOW);
        bytes[TICKER_AT + 1] = ' ';

        // When
        UnknownFormatException refused = assertThrows(UnknownFormatException.class, () -> read(bytes));

        // Then
        assertTrue(refused.toString().contains("its ticker holds the character U+0020"), refused::toString);
    }

    @Test
    void aWindowThatEndsBeforeItStartsIsRefused() throws IOException {
        // Given
        byte[] bytes = bytes(WINDOW);
        Arrays.fill(bytes, END_AT, END_AT + Long.BYTES, (byte) 0);

        // When
        UnknownFormatException refused = assertThrows(UnknownFormatException.class, () -> read(bytes));

        // Then
        assertTrue(refused.toString().contains("starts at 1000 and ends at 0"), refused::toString);
    }

    private static byte[] bytes(WindowStats window) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        WindowStatsSerde.write(window, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static WindowStats read(byte[] bytes) throws IOException {
        return WindowStatsSerde.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    private static WindowStats window(String ticker, long start, long end, boolean isFinal, PaneStats stats) {
        return new WindowStats(new Ticker(ticker), new Window(start, end), isFinal, stats);
    }

    private static PaneStats pane(@Nullable String type) {
        return PaneStats.of(trade(type), 17);
    }

    private static Trade trade(@Nullable String type) {
        return new Trade(new Ticker("A"), 2.5, 4, type, 1_000);
    }
}
