/** Latest windows as they change, of all instances, to whoever watches, conflated for each. */
@NullMarked
package io.stockstats.live;

import org.jspecify.annotations.NullMarked;
