package io.stockstats.dev;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broker for {@code @QuarkusTest} and {@code @QuarkusIntegrationTest} classes that carry
 * {@code @WithTestResource(EmbeddedKafka.class)}: classes that share their resources and profile share one broker. It
 * creates no topic by itself.
 */
public final class EmbeddedKafka implements QuarkusTestResourceLifecycleManager {

    private @Nullable EmbeddedBroker broker;

    @Override
    public Map<String, String> start() {
        EmbeddedBroker started = EmbeddedBroker.builder().start();
        broker = started;
        return Map.of("kafka.bootstrap.servers", started.bootstrapServers());
    }

    @Override
    public void stop() {
        EmbeddedBroker started = broker;
        if (started != null) {
            broker = null;
            started.close();
        }
    }
}
