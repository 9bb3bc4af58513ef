/** What an operator looks at: health, metrics, and the checks at start. */
@NullMarked
package io.stockstats.ops;

import org.jspecify.annotations.NullMarked;
