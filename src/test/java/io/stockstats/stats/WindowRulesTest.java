package io.stockstats.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowRulesTest {

    private static final WindowRules RULES = new WindowRules(5_000, 1_000, 30_000, 900_000);

    @ParameterizedTest
    @CsvSource({"12345,12000", "12000,12000", "11999,11000", "12999,12000", "13000,13000", "0,0", "999,0", "-1,-1000"})
    void aTradeLiesInThePaneThatContainsIt(long eventMillis, long expected) {
        // When
        long pane = RULES.paneStart(eventMillis);

        // Then
        assertEquals(expected, pane);
    }

    @ParameterizedTest
    @CsvSource({"12345,8000,12000", "12000,8000,12000", "11999,7000,11000", "12999,8000,12000"})
    void aTradeBelongsToExactlyFiveWindows(long eventMillis, long earliest, long latest) {
        // When
        long pane = RULES.paneStart(eventMillis);
        List<Long> starts = LongStream.iterate(
                        RULES.earliestWindowStart(pane), start -> start <= pane, start -> start + RULES.advance())
                .boxed()
                .toList();

        // Then: those of all aligned starts whose [start, end) holds the time
        List<Long> containing = LongStream.rangeClosed(-10, 30)
                .map(n -> n * 1_000)
                .filter(start -> start <= eventMillis && eventMillis < start + 5_000)
                .boxed()
                .toList();
        assertEquals(containing, starts);
        assertEquals(5, starts.size());
        assertEquals(List.of(earliest, latest), List.of(starts.get(0), starts.get(4)));
    }

    @Test
    void aTradeIsLateFromTheMillisecondWhenItsFirstWindowIsFinal() {
        // Given: the first boundary after 12,345 is 13,000
        long pane = RULES.paneStart(12_345);

        // Then
        assertFalse(RULES.isLate(pane, 42_999));
        assertTrue(RULES.isLate(pane, 43_000));
        assertFalse(RULES.isLate(RULES.paneStart(12_999), 42_999));
        assertFalse(RULES.isLate(RULES.paneStart(13_000), 43_999));
        assertTrue(RULES.isLate(RULES.paneStart(13_000), 44_000));
    }

    @Test
    void nothingIsLateFinalOrExpiredBeforeTheFirstTrade() {
        // Then
        assertFalse(RULES.isLate(0, WindowRules.NO_STREAM_TIME));
        assertFalse(RULES.isFinal(1_000, WindowRules.NO_STREAM_TIME));
        assertFalse(RULES.isExpired(1_000, WindowRules.NO_STREAM_TIME));
        assertFalse(RULES.isPaneExpired(0, WindowRules.NO_STREAM_TIME));
    }

    @Test
    void aWindowIsFinalFromItsEndPlusTheGrace() {
        // Then
        assertFalse(RULES.isFinal(15_000, 44_999));
        assertTrue(RULES.isFinal(15_000, 45_000));
    }

    @Test
    void aWindowIsExpiredFromItsEndPlusTheRetention() {
        // Then
        assertFalse(RULES.isExpired(15_000, 914_999));
        assertTrue(RULES.isExpired(15_000, 915_000));
    }

    @Test
    void aPaneIsKeptAsLongAsTheLargestWindowThatHoldsItCanBeAskedFor() {
        // Given: the latest window of the largest size that holds the pane begins with it
        long pane = 12_000;
        long end = pane + RULES.retention();

        // When
        long lastMoment = end + RULES.retention() - 1;

        // Then
        assertFalse(RULES.isExpired(end, lastMoment));
        assertFalse(RULES.isPaneExpired(pane, lastMoment));
        assertTrue(RULES.isPaneExpired(pane, lastMoment + 1));
    }

    @ParameterizedTest
    @CsvSource({
        "1000,true",
        "5000,true",
        "900000,true",
        "901000,false",
        "899999,false",
        "0,false",
        "-1000,false",
        "1,false"
    })
    void multiplesOfTheAdvanceUpToTheRetentionCanBeAnswered(long size, boolean expected) {
        // When
        boolean can = RULES.canAnswer(size);

        // Then
        assertEquals(expected, can);
    }

    @ParameterizedTest
    @CsvSource({
        "5000,0,0,5000,advance",
        "5000,-1,0,5000,advance",
        "0,1000,0,5000,size",
        "-5000,1000,0,5000,size",
        "5500,1000,0,50000,size",
        "5000,1000,-1,50000,grace",
        "5000,1000,30000,34999,retention"
    })
    void rulesThatCannotHoldAreRefused(long size, long advance, long grace, long retention, String subject) {
        // When
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> new WindowRules(size, advance, grace, retention));

        // Then
        assertTrue(refused.toString().contains(": " + subject), refused::toString);
    }

    @Test
    void theTightestRulesAreAccepted() {
        // When
        WindowRules rules = new WindowRules(1, 1, 0, 1);

        // Then: final as soon as it ends
        assertFalse(rules.isFinal(10, 9));
        assertTrue(rules.isFinal(10, 10));
    }

    @Test
    void aWindowKnowsItsEnds() {
        // Then
        assertEquals(new Window(8_000, 13_000), Window.startingAt(8_000, 5_000));
        assertEquals(new Window(8_000, 13_000), Window.endingAt(13_000, 5_000));
        assertThrows(IllegalArgumentException.class, () -> new Window(5, 5));
    }
}
