/** Bytes in and out: trades and windows as JSON, panes as fixed-width binary, and the topics that carry them. */
@NullMarked
package io.stockstats.wire;

import org.jspecify.annotations.NullMarked;
