package io.stockstats.query;

import io.stockstats.trade.Ticker;
import java.util.List;
import java.util.Optional;

/**
 * Some tickers' latest windows, by ticker in ascending order.
 *
 * @param stats the windows
 * @param next the ticker after which the next page begins; empty on the last page
 * @param missingPartitions the partitions that could not be asked, whose tickers are missing
 */
public record StatsPage(List<Row> stats, Optional<Ticker> next, List<Integer> missingPartitions) {}
