package io.stockstats.topology;

import io.quarkus.runtime.annotations.RegisterForReflection;
import org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator;
import org.apache.kafka.streams.processor.internals.NoOpProcessorWrapper;

/**
 * Classes that Kafka makes by the names in its settings' defaults, and that Quarkus does not register for the native
 * executable.
 */
@RegisterForReflection(targets = {DefaultJwtValidator.class, NoOpProcessorWrapper.class})
final class KafkasOwnDefaults {

    private KafkasOwnDefaults() {}
}
