package io.stockstats;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Looks into what {@code ./mvnw package} has built: the broker of dev mode must not be in it. */
class PackagedApplicationIT {

    private static final Path PACKAGE = Path.of("target", "quarkus-app");

    /**
     * The classes of dev mode that may be packaged: none uses the broker. A new one that does belongs into
     * {@code quarkus.package.jar.user-configured-ignored-entries}, one that does not belongs here.
     */
    private static final Set<String> DEV_CLASSES = Set.of(
            "io/stockstats/dev/DevBrokerConfig.class",
            "io/stockstats/dev/Loopback.class",
            "io/stockstats/dev/package-info.class");

    private static final List<String> BROKER = List.of(
            "kafka/",
            "scala/",
            "org/apache/kafka/controller/",
            "org/apache/kafka/image/",
            "org/apache/kafka/metadata/",
            "org/apache/kafka/raft/");

    @Test
    void no_jar_holds_a_class_of_a_Kafka_broker() throws IOException {
        List<String> found = new ArrayList<>();
        for (Path jar : jars()) {
            for (String entry : classesOf(jar)) {
                if (BROKER.stream().anyMatch(entry::startsWith)) {
                    found.add(PACKAGE.relativize(jar) + ": " + entry);
                }
            }
        }

        assertEquals(List.of(), found);
    }

    @Test
    void only_those_classes_of_dev_mode_are_packaged_that_need_no_broker() throws IOException {
        Set<String> found = new TreeSet<>();
        for (Path jar : jars()) {
            classesOf(jar).stream()
                    .filter(entry -> entry.startsWith("io/stockstats/dev/"))
                    .forEach(found::add);
        }

        assertEquals(new TreeSet<>(DEV_CLASSES), found);
    }

    @Test
    void nothing_packaged_refers_to_the_broker() throws IOException {
        try (JarFile application = new JarFile(application().toFile())) {
            noClasses()
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("kafka..", "scala..", "org.apache.kafka.metadata..")
                    .check(new ClassFileImporter().importJar(application));
        }
    }

    private static Path application() throws IOException {
        List<Path> jars =
                jars().stream().filter(jar -> jar.getParent().endsWith("app")).toList();
        assertEquals(1, jars.size(), () -> "the application's own jar: " + jars);
        return jars.get(0);
    }

    private static List<Path> jars() throws IOException {
        assertTrue(Files.isDirectory(PACKAGE), () -> PACKAGE + " is missing: run ./mvnw verify");
        try (Stream<Path> files = Files.walk(PACKAGE)) {
            List<Path> jars =
                    files.filter(file -> file.toString().endsWith(".jar")).toList();
            assertTrue(jars.size() > 1, () -> "the application and its libraries: " + jars);
            return jars;
        }
    }

    private static List<String> classesOf(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class"))
                    .toList();
        }
    }
}
