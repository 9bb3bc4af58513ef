/** The embedded broker, in dev mode and in tests only. */
@NullMarked
package io.stockstats.dev;

import org.jspecify.annotations.NullMarked;
