package io.stockstats.query;

import io.stockstats.stats.WindowStats;
import java.util.List;
import java.util.OptionalLong;

/**
 * What one partition answers to a {@link Question}: a part of the whole answer.
 *
 * @param known whether the partition knows what was asked about
 * @param windows the windows, in the order that was asked for
 * @param mark the page after this one, or how far stream time is, as the question has it
 */
record Slice(boolean known, List<WindowStats> windows, OptionalLong mark) {}
