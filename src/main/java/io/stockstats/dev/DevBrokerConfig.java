package io.stockstats.dev;

import io.quarkus.runtime.LaunchMode;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigSourceFactory;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Tells the application in dev mode where {@link DevBroker}'s broker will be, when nothing else says where a broker is.
 * Elsewhere it adds nothing. It is part of the packaged application, where configuration knows it by name, and so it
 * must not refer to the broker's classes, which are not.
 */
public final class DevBrokerConfig implements ConfigSourceFactory {

    /** The folder of everything that lives as long as the broker of dev mode; set only when there is to be one. */
    static final String FOLDER = "io.stockstats.dev.broker.folder";

    /** The port of the broker of dev mode. */
    static final String PORT = "io.stockstats.dev.broker.port";

    /** Where a broker of one's own usually listens. */
    static final int USUAL_PORT = 9092;

    private static final String BOOTSTRAP_SERVERS = "kafka.bootstrap.servers";

    private static final String STATE_DIR = "kafka-streams.state.dir";

    /** Above every other source: it speaks only when the others are silent, and an empty value is silence too. */
    private static final int ORDINAL = 1000;

    /** Below application.properties and all that is said from outside. */
    private static final int STATE_ORDINAL = 200;

    @Override
    public Iterable<ConfigSource> getConfigSources(ConfigSourceContext context) {
        if (LaunchMode.current() != LaunchMode.DEVELOPMENT
                || !context.getProfiles().contains("dev")) {
            return List.of();
        }
        // Configuration is read more than once, and the broker stays: the first choice holds for this JVM. What was
        // read
        // first comes back as given, among the defaults that Quarkus records.
        String port = System.getProperty(PORT);
        if (port == null && isGiven(context)) {
            return List.of(stateIn(parent().resolve("kafka-streams")));
        }
        if (port == null) {
            port = Integer.toString(Loopback.isFree(USUAL_PORT) ? USUAL_PORT : Loopback.freePort());
            System.setProperty(PORT, port);
        }
        String folder = System.getProperty(FOLDER);
        if (folder == null) {
            folder = parent().resolve("stockstats-dev-" + UUID.randomUUID()).toString();
            System.setProperty(FOLDER, folder);
        }
        Map<String, String> values = new HashMap<>();
        values.put(BOOTSTRAP_SERVERS, Loopback.HOST + ":" + port);
        values.put(PORT, port);
        values.put(FOLDER, folder);
        // State fits the changelogs of one broker only, so it comes and goes with it.
        return List.of(
                new PropertiesConfigSource(values, "the broker of dev mode", ORDINAL),
                stateIn(Path.of(folder, "streams")));
    }

    private static ConfigSource stateIn(Path folder) {
        return new PropertiesConfigSource(Map.of(STATE_DIR, folder.toString()), "the state of dev mode", STATE_ORDINAL);
    }

    /** Where a clean build sweeps up what a killed dev mode left; the folder of temporary files where there is none. */
    private static Path parent() {
        Path target = Path.of("target").toAbsolutePath();
        return Files.isDirectory(target) ? target : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static boolean isGiven(ConfigSourceContext context) {
        ConfigValue given = context.getValue(BOOTSTRAP_SERVERS);
        return given != null && given.getValue() != null && !given.getValue().isBlank();
    }
}
