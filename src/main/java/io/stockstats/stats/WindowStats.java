package io.stockstats.stats;

import io.stockstats.trade.Ticker;

/**
 * What is known of one ticker's window, at a moment.
 *
 * @param ticker whose trades they are
 * @param window the span of event time
 * @param isFinal whether stream time has passed the window's end plus the grace, so that nothing can change any more
 * @param stats the statistics of the window's trades
 */
public record WindowStats(Ticker ticker, Window window, boolean isFinal, PaneStats stats) {}
