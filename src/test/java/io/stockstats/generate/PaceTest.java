package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;
    // System.nanoTime() may be negative.
    private static final long START = -5 * SECOND;

    @Test
    void atTenPerSecondATradeIsDueEveryHundredMilliseconds() {
        Pace pace = new Pace(10, START);

        assertEquals(0, pace.untilDue(START));
        pace.take(START);
        assertEquals(100 * MILLI, pace.untilDue(START));
        assertEquals(40 * MILLI, pace.untilDue(START + 60 * MILLI));
        assertEquals(0, pace.untilDue(START + 100 * MILLI));
    }

    @Test
    void takingLateDoesNotShiftTheTradesThatFollow() {
        Pace pace = new Pace(10, START);
        pace.take(START);

        pace.take(START + 130 * MILLI);

        assertEquals(70 * MILLI, pace.untilDue(START + 130 * MILLI));
    }

    @Test
    void fractionsAreTradesEverySoManySeconds() {
        Pace pace = new Pace(0.1, START);

        pace.take(START);

        assertEquals(10 * SECOND, pace.untilDue(START));
    }

    @Test
    void aShortHiccupIsMadeUpFor() {
        Pace pace = new Pace(10_000, START);
        pace.take(START);
        long later = START + 200 * MILLI;

        int made = 0;
        while (pace.untilDue(later) == 0) {
            pace.take(later);
            made++;
        }

        assertEquals(2_000, made);
    }

    @Test
    void anOutageIsNotFollowedByABurst() {
        Pace pace = new Pace(10_000, START);
        pace.take(START);
        long later = START + 60 * SECOND;

        assertEquals(0, pace.untilDue(later));
        pace.take(later);

        assertTrue(pace.untilDue(later) > 0);
    }

    @Test
    void theAverageHoldsAtAnyRate() {
        for (double rate : new double[] {0.3, 3, 333, 20_000, 1e6}) {
            Pace pace = new Pace(rate, START);
            long now = START;
            long end = (long) (100 / rate * SECOND) + 10 * SECOND;
            int made = 0;
            while (now - START < end) {
                long wait = pace.untilDue(now);
                if (wait == 0) {
                    pace.take(now);
                    made++;
                } else {
                    now += wait;
                }
            }
            assertEquals(rate * end / SECOND, made, 1 + rate / 500, "rate " + rate);
        }
    }
}
