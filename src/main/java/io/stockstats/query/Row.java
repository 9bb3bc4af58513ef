package io.stockstats.query;

import io.stockstats.stats.WindowStats;
import java.util.Optional;

/**
 * One ticker's window in an answer about many.
 *
 * @param stale says so when it comes from a copy that follows the partition's owner
 */
public record Row(WindowStats window, Optional<Stale> stale) {}
