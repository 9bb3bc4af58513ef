/** The packaged application seen from outside: processes, a real broker and HTTP, and nothing of its inside. */
@NullMarked
package io.stockstats.it;

import org.jspecify.annotations.NullMarked;
