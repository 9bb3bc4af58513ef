/** Pure arithmetic: panes, the windows that are merged from them, and where each begins and ends. */
@NullMarked
package io.stockstats.stats;

import org.jspecify.annotations.NullMarked;
