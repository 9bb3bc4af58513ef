package io.stockstats.ops;

import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Gives the native executable what it needs to read trades that their producers have compressed with zstd or snappy. The
 * classes of both load their libraries when they are initialised, and the executable's were initialised while it was
 * built: they take for loaded what is not there. (LZ4 does without a library, gzip is the JDK's.)
 */
@Singleton
final class CompressionLibraries {

    private static final Logger LOG = Logger.getLogger(CompressionLibraries.class);

    /** It is in the library's name; a test says when Kafka comes with another. */
    private static final String ZSTD = "1.5.6-10";

    /** Before the stream is started. */
    void load(@Observes @Priority(1) StartupEvent event) {
        if (ImageMode.current() != ImageMode.NATIVE_RUN) {
            return;
        }
        resources(System.getProperty("os.name"), System.getProperty("os.arch")).forEach(CompressionLibraries::load);
    }

    /** Where the libraries lie in their jars, on Linux: what a container builds is for it. */
    static List<String> resources(String osName, String arch) {
        String os = osName.toLowerCase(Locale.ROOT);
        String snappyArch = arch.equals("amd64") ? "x86_64" : arch;
        return List.of(
                "/" + os + "/" + arch + "/libzstd-jni-" + ZSTD + ".so",
                "/org/xerial/snappy/native/" + osName + "/" + snappyArch + "/libsnappyjava.so");
    }

    private static void load(String resource) {
        try (InputStream library = CompressionLibraries.class.getResourceAsStream(resource)) {
            if (library == null) {
                LOG.warnf("%s is not in the executable: trades compressed with it cannot be read", resource);
                return;
            }
            Path file = Files.createTempFile("stockstats-", ".so");
            try {
                Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
                System.load(file.toString());
            } finally {
                // Once it is loaded its name is of no use.
                Files.delete(file);
            }
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.warnf(e, "%s cannot be loaded: trades compressed with it cannot be read", resource);
        }
    }
}
