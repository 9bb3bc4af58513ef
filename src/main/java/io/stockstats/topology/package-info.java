/** The stream: from trades to panes, and from panes to emitted windows. */
@NullMarked
package io.stockstats.topology;

import org.jspecify.annotations.NullMarked;
