package io.stockstats.topology;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One partition's trades, and the top lists that follow from them: an oracle that knows nothing of panes. It keeps all
 * trades and counts each list anew. Prices and sizes must be such that doubles add them exactly.
 */
final class TopOracle {

    private final long window;
    private final long grace;
    private final int n;
    private final boolean descending;
    private final ToDoubleFunction<List<Sold>> figure;
    private final List<Sold> sold = new ArrayList<>();
    private long streamTime = -1;

    /** @param figure NaN where there is none */
    TopOracle(long window, long grace, int n, boolean descending, ToDoubleFunction<List<Sold>> figure) {
        this.window = window;
        this.grace = grace;
        this.n = n;
        this.descending = descending;
        this.figure = figure;
    }

    record Sold(String ticker, double price, double size, long at) {}

    /**
     * What is compared of a list.
     *
     * @param top a line for each ticker, in order
     */
    record Top(long start, long end, List<String> top, boolean complete) {
        static Top of(JsonNode json) {
            List<String> lines = new ArrayList<>();
            json.get("top")
                    .forEach(each -> lines.add(line(
                            each.get("ticker").textValue(),
                            each.get("countTrades").longValue(),
                            each.get("minPrice").doubleValue(),
                            each.get("maxPrice").doubleValue(),
                            each.get("closePrice").doubleValue(),
                            each.get("volume").doubleValue(),
                            each.get("final").booleanValue())));
            return new Top(
                    json.get("windowStart").longValue(),
                    json.get("windowEnd").longValue(),
                    lines,
                    json.get("complete").booleanValue());
        }

        private static String line(
                String ticker, long count, double min, double max, double close, double volume, boolean isFinal) {
            return "%s %d [%s, %s] close %s volume %s %s".formatted(ticker, count, min, max, close, volume, isFinal);
        }
    }

    /** Takes the trade in the order of arrival, unless it is late. */
    void add(String ticker, double price, double size, long at) {
        streamTime = Math.max(streamTime, at);
        long paneEnd = at - at % 1_000 + 1_000;
        if (paneEnd + grace > streamTime) {
            sold.add(new Sold(ticker, price, size, at));
        }
    }

    /** All lists by start; complete where stream time has passed their end plus the grace. */
    Map<Long, Top> lists() {
        Map<Long, Map<String, List<Sold>>> windows = new TreeMap<>();
        for (Sold each : sold) {
            windows.computeIfAbsent(each.at() - each.at() % window, start -> new TreeMap<>())
                    .computeIfAbsent(each.ticker(), ticker -> new ArrayList<>())
                    .add(each);
        }
        Map<Long, Top> lists = new TreeMap<>();
        windows.forEach((start, tickers) -> {
            boolean complete = start + window + grace <= streamTime;
            // The sort is stable, so that equals stay in the order of tickers.
            Comparator<List<Sold>> order = Comparator.comparingDouble(figure);
            List<String> top = tickers.values().stream()
                    .filter(trades -> !Double.isNaN(figure.applyAsDouble(trades)))
                    .sorted(descending ? order.reversed() : order)
                    .limit(n)
                    .map(trades -> line(trades, complete))
                    .toList();
            lists.put(start, new Top(start, start + window, top, complete));
        });
        return lists;
    }

    private static String line(List<Sold> trades, boolean complete) {
        return Top.line(
                trades.get(0).ticker(),
                trades.size(),
                min(trades),
                trades.stream().mapToDouble(Sold::price).max().orElseThrow(),
                last(trades).price(),
                volume(trades),
                complete);
    }

    static double min(List<Sold> trades) {
        return trades.stream().mapToDouble(Sold::price).min().orElseThrow();
    }

    static double volume(List<Sold> trades) {
        return trades.stream().mapToDouble(Sold::size).sum();
    }

    static double vwap(List<Sold> trades) {
        double turnover =
                trades.stream().mapToDouble(each -> each.price() * each.size()).sum();
        return volume(trades) == 0 ? Double.NaN : turnover / volume(trades);
    }

    /** Of several at one time the last to arrive. */
    private static Sold last(List<Sold> trades) {
        @Nullable Sold last = null;
        for (Sold each : trades) {
            last = last == null || each.at() >= last.at() ? each : last;
        }
        return Objects.requireNonNull(last);
    }
}
