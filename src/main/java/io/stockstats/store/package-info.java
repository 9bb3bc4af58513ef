/** Local reads of panes, who owns which partition, and how far a restore has come. */
@NullMarked
package io.stockstats.store;

import org.jspecify.annotations.NullMarked;
