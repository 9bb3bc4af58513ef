package io.stockstats.dev;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A broker for {@code @QuarkusTest} and {@code @QuarkusIntegrationTest} classes that carry
 * {@code @WithTestResource(EmbeddedKafka.class)}: classes that share their resources and profile share one broker. It
 * creates no topic by itself. A test's field of type {@link EmbeddedBroker} is given the broker. The application keeps
 * its state in a folder that goes with the broker, and listens on 127.0.0.1 only.
 */
public final class EmbeddedKafka implements QuarkusTestResourceLifecycleManager {

    private @Nullable EmbeddedBroker broker;
    private @Nullable Path state;

    @Override
    public Map<String, String> start() {
        EmbeddedBroker started = EmbeddedBroker.builder().start();
        broker = started;
        try {
            Path folder = Files.createTempDirectory("stockstats-state-");
            state = folder;
            return Map.of(
                    "kafka.bootstrap.servers",
                    started.bootstrapServers(),
                    "kafka-streams.state.dir",
                    folder.toString(),
                    "quarkus.http.host",
                    Loopback.HOST);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the state directory", e);
        }
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(broker, new TestInjector.MatchesType(EmbeddedBroker.class));
    }

    @Override
    public void stop() {
        EmbeddedBroker started = broker;
        if (started != null) {
            broker = null;
            started.close();
        }
        Path folder = state;
        if (folder != null) {
            state = null;
            EmbeddedBroker.delete(folder);
        }
    }
}
