package io.stockstats.dev;

import io.quarkus.arc.profile.IfBuildProfile;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Destroyed;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the broker of dev mode when {@link DevBrokerConfig} says that there is to be one: from the application's first
 * start until the JVM ends, across live reloads. What it has to know from one reload to the next is in system
 * properties, since the application's classes, and all that they hold, go with each reload.
 */
@Singleton
@IfBuildProfile("dev")
final class DevBroker {

    private static final Logger LOG = Logger.getLogger(DevBroker.class);

    private static final String BROKER_RUNS = "io.stockstats.dev.broker.runs";
    private static final String APPLICATION_RUNS = "io.stockstats.dev.application.runs";
    private static final long APPLICATION_STOPS_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Optional<String> folder;
    private final OptionalInt port;

    DevBroker(
            @ConfigProperty(name = DevBrokerConfig.FOLDER) Optional<String> folder,
            @ConfigProperty(name = DevBrokerConfig.PORT) OptionalInt port) {
        this.folder = folder;
        this.port = port;
    }

    /** Before everything else that starts: Kafka's clients complain when there is no broker. */
    void start(@Observes @Priority(1) StartupEvent event) {
        System.setProperty(APPLICATION_RUNS, "true");
        if (folder.isEmpty() || port.isEmpty() || Boolean.getBoolean(BROKER_RUNS)) {
            return;
        }
        long begin = System.nanoTime();
        Path own = create(Path.of(folder.get()));
        // The hook is there first, so that nothing stays behind when the broker does not start.
        StopAtExit hook = new StopAtExit(own);
        Runtime.getRuntime().addShutdownHook(hook);
        EmbeddedBroker broker = EmbeddedBroker.builder()
                .port(port.getAsInt())
                .folder(own.resolve("broker"))
                .start();
        hook.broker = broker;
        System.setProperty(BROKER_RUNS, "true");
        LOG.infof(
                "Kafka broker for development on %s%s, started in %d ms; it and its data last until dev mode ends",
                broker.bootstrapServers(),
                port.getAsInt() == DevBrokerConfig.USUAL_PORT
                        ? ""
                        : " (port " + DevBrokerConfig.USUAL_PORT + " is taken)",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    /** After all that uses the broker has been closed. */
    void applicationStopped(@Observes @Destroyed(ApplicationScoped.class) Object event) {
        System.clearProperty(APPLICATION_RUNS);
    }

    private static Path create(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the folder of dev mode's broker", e);
        }
    }

    /** Keeps the class loader of the first application alive, and no other one, until the JVM ends. */
    private static final class StopAtExit extends Thread {

        private final Path folder;
        private volatile @Nullable EmbeddedBroker broker;

        StopAtExit(Path folder) {
            super("Kafka broker of dev mode: stop");
            this.folder = folder;
        }

        @Override
        public void run() {
            // All shutdown hooks run at once, and Kafka's clients close slowly when the broker is gone before them.
            long begin = System.nanoTime();
            try {
                while (Boolean.getBoolean(APPLICATION_RUNS)
                        && System.nanoTime() - begin < APPLICATION_STOPS_WITHIN_NANOS) {
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            EmbeddedBroker running = broker;
            if (running != null) {
                running.close();
            }
            EmbeddedBroker.delete(folder);
        }
    }
}
