package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.ExactStats;
import io.stockstats.stats.WindowRules;
import io.stockstats.topology.StreamUnderTest.WindowId;
import io.stockstats.topology.StreamUnderTest.Written;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Panes, merged when they are emitted, tell the same as a hopping window that is aggregated trade by trade. */
class AgainstTextbookTest {

    private static final long T = StreamUnderTest.NOW.toEpochMilli() - 600_000;

    @ParameterizedTest
    @CsvSource({
        "1, 5000, 1000, 2000, UPDATES, false",
        "2, 5000, 1000, 2000, UPDATES, false",
        "3, 5000, 1000, 500, UPDATES, true",
        "4, 5000, 1000, 0, UPDATES, false",
        "5, 5000, 1000, 3000, FINAL, false",
        "6, 10000, 1000, 2500, UPDATES, false",
        "7, 1000, 1000, 1000, UPDATES, false",
        "8, 3000, 250, 777, UPDATES, true",
        "9, 5000, 5000, 1234, FINAL, true"
    })
    void theLastStateOfEveryWindowIsTheSame(
            long seed, long size, long advance, long grace, StatsConfig.Emit emit, boolean rekey) {
        // Given: out of order by up to more than the grace, often exactly on boundaries, often at equal times
        Random random = new Random(seed);
        WindowRules rules = new WindowRules(size, advance, grace, 60_000);
        SettingsBuilder settings = new SettingsBuilder().rules(rules).emit(emit);
        if (rekey) {
            settings.rekey();
        }
        Map<WindowId, TextbookTopology.Aggregate> expected;
        List<Written> written = new ArrayList<>();
        long aggregated = 0;
        long late = 0;
        try (StreamUnderTest stream = new StreamUnderTest(settings.build());
                TextbookTopology textbook = new TextbookTopology(
                        Duration.ofMillis(size), Duration.ofMillis(advance), Duration.ofMillis(grace))) {

            // When
            long streamTime = -1;
            for (int i = 0; i <= 2_000; i++) {
                long time = i == 2_000 ? T + 500_000 : timeOf(i, random, advance, grace);
                String ticker =
                        i == 2_000 ? "END" : List.of("A", "AB", "BTC/USDT", "币").get(random.nextInt(4));
                String price =
                        BigDecimal.valueOf(1 + random.nextInt(100_000), 2).toPlainString();
                String amount = random.nextInt(5) == 0
                        ? "0"
                        : BigDecimal.valueOf(1 + random.nextInt(1_000), 3).toPlainString();
                stream.trade(ticker, price, amount, null, Long.toString(time));
                streamTime = Math.max(streamTime, time);
                long boundaryAfter = Math.floorDiv(time, advance) * advance + advance;
                if (boundaryAfter + grace > streamTime) {
                    textbook.trade(ticker, price, amount, time);
                    aggregated++;
                } else {
                    late++;
                }
                if (random.nextInt(10) == 0) {
                    stream.advance(Duration.ofMillis(random.nextInt(300)));
                }
                written.addAll(stream.written());
            }
            expected = textbook.windows();
            expected.keySet().removeIf(window -> window.ticker().equals("END"));

            // Then
            assertEquals((double) aggregated, stream.count("stockstats.trades"));
            assertEquals((double) late, stream.count("stockstats.trades.late"));
        }
        assertTrue(late > 20 && expected.size() > 50, "late trades and many windows must be part of this test");
        Map<WindowId, Written> actual = StreamUnderTest.lastOf(written);
        actual.keySet().removeIf(window -> window.ticker().equals("END"));
        assertEquals(expected.keySet(), actual.keySet());
        expected.forEach((id, window) -> assertSame(id, window, StreamUnderTest.window(actual, id)));
    }

    private static long timeOf(int i, Random random, long advance, long grace) {
        long time = T + i * 40L - random.nextInt((int) (grace + 2 * advance));
        return switch (random.nextInt(4)) {
            case 0 -> Math.floorDiv(time, advance) * advance;
            case 1 -> Math.floorDiv(time, advance) * advance - 1;
            case 2 -> Math.floorDiv(time, 100) * 100;
            default -> time;
        };
    }

    private static void assertSame(WindowId id, TextbookTopology.Aggregate expected, Written actual) {
        assertTrue(actual.isFinal(), id::toString);
        assertEquals(expected.count(), actual.count(), id::toString);
        assertEquals(expected.min(), actual.number("minPrice"), id::toString);
        assertEquals(expected.max(), actual.number("maxPrice"), id::toString);
        assertEquals(expected.open(), actual.number("openPrice"), id::toString);
        assertEquals(expected.close(), actual.number("closePrice"), id::toString);
        assertEquals(expected.closeAt(), actual.timestamp(), id::toString);
        ExactStats.assertClose(expected.sum(), actual.number("sumPrice"), id + " sumPrice");
        ExactStats.assertClose(expected.volume(), actual.number("volume"), id + " volume");
        ExactStats.assertClose(expected.turnover(), actual.number("turnover"), id + " turnover");
    }
}
