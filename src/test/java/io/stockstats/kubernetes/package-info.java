/** The manifests that the build leaves in {@code target/kubernetes}. */
@NullMarked
package io.stockstats.kubernetes;

import org.jspecify.annotations.NullMarked;
