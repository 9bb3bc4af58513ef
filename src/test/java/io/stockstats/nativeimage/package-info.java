/** What a native executable knows of the classes that it was built from. */
@NullMarked
package io.stockstats.nativeimage;

import org.jspecify.annotations.NullMarked;
