package io.stockstats.it;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The trades that were sent, and the windows that follow from them: an oracle that knows nothing of panes. Windows are
 * 5 s long and 1 s apart; trades must not be late.
 */
final class Ledger {

    private static final long SIZE = 5_000;
    private static final long ADVANCE = 1_000;

    private final List<Sale> sales = new ArrayList<>();

    synchronized void add(Sale sale) {
        sales.add(sale);
    }

    synchronized int size() {
        return sales.size();
    }

    /** The windows by {@link WindowJson#id()}, all final or none. */
    synchronized Map<String, WindowJson> windows(boolean isFinal) {
        Map<String, TreeMap<Long, List<Sale>>> trades = new LinkedHashMap<>();
        for (Sale sale : sales) {
            long newest = sale.at() - sale.at() % ADVANCE;
            for (long start = newest - SIZE + ADVANCE; start <= newest; start += ADVANCE) {
                trades.computeIfAbsent(sale.ticker(), ticker -> new TreeMap<>())
                        .computeIfAbsent(start, at -> new ArrayList<>())
                        .add(sale);
            }
        }
        Map<String, WindowJson> windows = new TreeMap<>();
        trades.forEach((ticker, byStart) -> byStart.forEach((start, of) -> {
            WindowJson window = WindowJson.of(of, start, SIZE, isFinal);
            windows.put(window.id(), window);
        }));
        return windows;
    }

    /** The ticker's window of {@code size} that ends at the first boundary after its newest trade. */
    synchronized WindowJson latest(String ticker, long size, boolean isFinal) {
        long newest = sales.stream()
                .filter(sale -> sale.ticker().equals(ticker))
                .mapToLong(Sale::at)
                .max()
                .orElseThrow();
        long end = newest - newest % ADVANCE + ADVANCE;
        List<Sale> inside = sales.stream()
                .filter(sale -> sale.ticker().equals(ticker) && sale.at() >= end - size && sale.at() < end)
                .toList();
        return WindowJson.of(inside, end - size, size, isFinal);
    }

    /** The {@code n} tickers with the lowest price in each window of {@code size} that begins where one ends. */
    synchronized Map<Long, List<String>> lowest(int n, long size) {
        Map<Long, Map<String, BigDecimal>> lowest = new TreeMap<>();
        for (Sale sale : sales) {
            lowest.computeIfAbsent(sale.at() - sale.at() % size, start -> new TreeMap<>())
                    .merge(sale.ticker(), sale.price(), BigDecimal::min);
        }
        Map<Long, List<String>> first = new TreeMap<>();
        lowest.forEach((start, prices) -> first.put(
                start,
                prices.entrySet().stream()
                        .sorted(Map.Entry.<String, BigDecimal>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(n)
                        .map(Map.Entry::getKey)
                        .toList()));
        return first;
    }
}
