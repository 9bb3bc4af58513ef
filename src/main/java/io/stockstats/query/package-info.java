/** Answers about tickers: found, unknown, or not to be said right now. */
@NullMarked
package io.stockstats.query;

import org.jspecify.annotations.NullMarked;
