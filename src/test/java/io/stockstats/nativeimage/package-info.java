/** What the native executable must be told when it is built, because no code says it: found out, and looked for. */
@NullMarked
package io.stockstats.nativeimage;

import org.jspecify.annotations.NullMarked;
