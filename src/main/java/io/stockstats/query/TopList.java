package io.stockstats.query;

import io.stockstats.stats.Window;
import java.util.List;
import java.util.Optional;

/**
 * The first tickers of one window, in the order that was asked for.
 *
 * @param window the window, the same for all; empty when no partition has seen a trade
 * @param top the tickers' windows
 * @param missingPartitions the partitions that could not be asked, whose tickers are missing
 */
public record TopList(Optional<Window> window, List<Row> top, List<Integer> missingPartitions) {}
