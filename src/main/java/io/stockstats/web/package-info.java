/** HTTP: resources, parameters, and errors as problem+json. */
@NullMarked
package io.stockstats.web;

import org.jspecify.annotations.NullMarked;
