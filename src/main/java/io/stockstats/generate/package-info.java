/** Synthetic trades, seeded and paced, for dev mode and for trying things out. */
@NullMarked
package io.stockstats.generate;

import org.jspecify.annotations.NullMarked;
