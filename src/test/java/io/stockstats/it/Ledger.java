package io.stockstats.it;

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

    /** Every ticker's final window of {@code size} by its start, where one begins at the end of the one before. */
    synchronized Map<Long, List<WindowJson>> tumbling(long size) {
        Map<Long, TreeMap<String, List<Sale>>> trades = new TreeMap<>();
        for (Sale sale : sales) {
            trades.computeIfAbsent(sale.at() - sale.at() % size, start -> new TreeMap<>())
                    .computeIfAbsent(sale.ticker(), ticker -> new ArrayList<>())
                    .add(sale);
        }
        Map<Long, List<WindowJson>> windows = new TreeMap<>();
        trades.forEach((start, byTicker) -> windows.put(
                start,
                byTicker.values().stream()
                        .map(of -> WindowJson.of(of, start, size, true))
                        .toList()));
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
}
