/** Validated values: what a trade is, and why a record is not one. */
@NullMarked
package io.stockstats.trade;

import org.jspecify.annotations.NullMarked;
