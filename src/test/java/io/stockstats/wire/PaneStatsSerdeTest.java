package io.stockstats.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PaneStatsSerdeTest {

    static Stream<PaneStats> panes() {
        PaneStats large = PaneStats.of(trade(1e18, 1e18, "ASK", Long.MAX_VALUE), Long.MAX_VALUE);
        PaneStats small = PaneStats.of(trade(1e-18, 1e-18, "ASK", 0), 0);
        return Stream.of(
                large,
                small,
                large.merge(small),
                PaneStats.of(trade(1.1, 0, null, 1_700_000_000_123_456_789L), 42),
                PaneStats.of(trade(0.1, 0.3, "", 7), 1),
                PaneStats.of(trade(0.1, 0.3, "купля-продажа😀", 7), 1),
                PaneStats.of(trade(0.1, 0.3, "ASK", 7), 1).plus(trade(0.2, 0.7, "BID", 8), 2),
                PaneStats.of(trade(0.1, 0.3, null, 7), 1).plus(trade(0.2, 0.7, "BID", 8), 2));
    }

    @ParameterizedTest
    @MethodSource("panes")
    void aPaneIsReadAsItWasWritten(PaneStats pane) {
        // When
        PaneStats read = PaneStatsSerde.deserialize(PaneStatsSerde.serialize(pane));

        // Then
        assertEquals(pane, read);
    }

    @Test
    void theFormatIsTheOneOfVersionOne() {
        // Given: what is on disk and in changelogs must stay readable
        PaneStats pane = PaneStats.of(trade(2.5, 4, "ASK", 1_000), 17);

        // When
        byte[] bytes = PaneStatsSerde.serialize(pane);

        // Then
        assertEquals(
                "01" + "0000000000000001" // count
                        + "4004000000000000" // min
                        + "4004000000000000" // max
                        + "4004000000000000" + "0000000000000000" // sum
                        + "4010000000000000" + "0000000000000000" // volume
                        + "4024000000000000" + "0000000000000000" // turnover
                        + "4004000000000000" + "00000000000003e8" + "0000000000000011" // first
                        + "4004000000000000" + "00000000000003e8" + "0000000000000011" // last
                        + "02" + "41534b", // type
                hex(bytes));
    }

    @Test
    void aPaneOfAFutureVersionIsRefusedRatherThanMisread() {
        // Given
        byte[] bytes = PaneStatsSerde.serialize(PaneStats.of(trade(2.5, 4, "ASK", 1_000), 17));
        bytes[0] = 2;

        // When
        UnknownFormatException refused =
                assertThrows(UnknownFormatException.class, () -> PaneStatsSerde.deserialize(bytes));

        // Then
        assertEquals(
                "a pane in the state has format version 2, and this version of Stockstats reads version 1 only:"
                        + " run the version that wrote it, or one that reads both",
                refused.getMessage());
    }

    @Test
    void everyTruncationIsRefused() {
        // Given
        byte[] bytes = PaneStatsSerde.serialize(PaneStats.of(trade(2.5, 4, null, 1_000), 17));

        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);

            // When
            UnknownFormatException refused =
                    assertThrows(UnknownFormatException.class, () -> PaneStatsSerde.deserialize(cut));

            // Then
            String expected = length == 0 ? "format version (empty)" : "has " + length + " bytes, fewer than the 122";
            assertTrue(refused.toString().contains(expected), refused::toString);
        }
    }

    @Test
    void aKindOfTypeThatVersionOneDoesNotHaveIsRefused() {
        // Given
        byte[] bytes = PaneStatsSerde.serialize(PaneStats.of(trade(2.5, 4, null, 1_000), 17));
        bytes[bytes.length - 1] = 3;

        // When
        UnknownFormatException refused =
                assertThrows(UnknownFormatException.class, () -> PaneStatsSerde.deserialize(bytes));

        // Then
        assertTrue(refused.toString().contains("damaged"), refused::toString);
    }

    @Test
    void bytesAfterThePaneAreRefused() {
        // Given
        byte[] bytes = PaneStatsSerde.serialize(PaneStats.of(trade(2.5, 4, null, 1_000), 17));
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

        // When
        UnknownFormatException refused =
                assertThrows(UnknownFormatException.class, () -> PaneStatsSerde.deserialize(longer));

        // Then
        assertTrue(refused.toString().contains("damaged"), refused::toString);
    }

    private static Trade trade(double price, double size, @Nullable String type, long nanos) {
        return new Trade(new Ticker("A"), price, size, type, nanos);
    }

    private static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte b : bytes) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }
}
