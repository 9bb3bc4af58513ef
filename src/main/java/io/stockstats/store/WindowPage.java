package io.stockstats.store;

import io.stockstats.stats.WindowStats;
import java.util.List;
import java.util.Optional;

/**
 * Some of a ticker's windows.
 *
 * @param windows the windows, in the order that was asked for
 * @param next the {@code from} of the next page, or in descending order its {@code to}; empty on the last
 */
public record WindowPage(List<WindowStats> windows, Optional<Long> next) {}
