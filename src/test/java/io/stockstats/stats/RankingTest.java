package io.stockstats.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankingTest {

    /** Prices 10 (size 4) and 20 (size 1) against 12 (size 2), 11 (size 2). */
    private static final WindowStats RISES = window("RISES", new double[] {10, 20}, new double[] {4, 1});

    private static final WindowStats FALLS = window("FALLS", new double[] {12, 11}, new double[] {2, 2});

    @ParameterizedTest
    @CsvSource({
        "VOLUME, RISES",
        "MIN_PRICE, FALLS",
        "MAX_PRICE, RISES",
        "AVG_PRICE, RISES",
        "VWAP, RISES",
        "TURNOVER, RISES",
        "CHANGE_PERCENT, RISES"
    })
    void the_highest_figure_comes_first_or_last(Ranking.By by, String highest) {
        String lowest = highest.equals("RISES") ? "FALLS" : "RISES";

        assertEquals(List.of(highest, lowest), tickers(new Ranking(by, true).first(2, List.of(FALLS, RISES))));
        assertEquals(List.of(lowest, highest), tickers(new Ranking(by, false).first(2, List.of(FALLS, RISES))));
    }

    @Test
    void equal_figures_come_by_ticker_in_either_order() {
        List<WindowStats> equal = List.of(FALLS, RISES);

        assertEquals(List.of("FALLS", "RISES"), tickers(new Ranking(Ranking.By.COUNT_TRADES, true).first(2, equal)));
        assertEquals(List.of("FALLS", "RISES"), tickers(new Ranking(Ranking.By.COUNT_TRADES, false).first(2, equal)));
    }

    @Test
    void without_volume_there_is_no_vwap_to_order_by() {
        WindowStats none = window("NONE", new double[] {1}, new double[] {0});

        assertEquals(List.of("RISES"), tickers(new Ranking(Ranking.By.VWAP, false).first(2, List.of(none, RISES))));
        assertEquals(
                List.of("NONE", "RISES"),
                tickers(new Ranking(Ranking.By.VOLUME, false).first(2, List.of(none, RISES))));
    }

    @Test
    void the_first_n_are_those_of_a_full_sort() {
        Random random = new Random(3);
        List<WindowStats> windows = new ArrayList<>(IntStream.range(0, 200)
                .mapToObj(i -> window("T" + i, new double[] {1 + random.nextInt(20)}, new double[] {1}))
                .toList());
        for (int n : new int[] {1, 3, 100, 200, 1_000}) {
            Collections.shuffle(windows, random);

            List<String> first = tickers(new Ranking(Ranking.By.AVG_PRICE, true).first(n, windows));

            List<String> sorted = windows.stream()
                    .sorted(Comparator.comparingDouble(
                                    (WindowStats each) -> -each.stats().average())
                            .thenComparing(WindowStats::ticker))
                    .limit(n)
                    .map(each -> each.ticker().symbol())
                    .toList();
            assertEquals(sorted, first);
        }
    }

    private static List<String> tickers(List<WindowStats> windows) {
        return windows.stream().map(each -> each.ticker().symbol()).toList();
    }

    private static WindowStats window(String symbol, double[] prices, double[] sizes) {
        Ticker ticker = new Ticker(symbol);
        PaneStats stats = PaneStats.of(new Trade(ticker, prices[0], sizes[0], null, 0), 0);
        for (int i = 1; i < prices.length; i++) {
            stats = stats.plus(new Trade(ticker, prices[i], sizes[i], null, i), i);
        }
        return new WindowStats(ticker, new Window(0, 1_000), false, stats);
    }
}
