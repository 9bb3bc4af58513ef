/** What the service costs beside a plain consumer and the textbook topology, measured: {@code ./mvnw -Pbench verify}. */
@NullMarked
package io.stockstats.bench;

import org.jspecify.annotations.NullMarked;
