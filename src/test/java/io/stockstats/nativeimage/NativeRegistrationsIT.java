package io.stockstats.nativeimage;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.stockstats.Built;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the service reaches by name at run time, against what {@code native-image} would be told: Quarkus prepares all of
 * a native build where there is no {@code native-image}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeRegistrationsIT {

    private static final Path CLASSES = Path.of("target", "classes");

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.stockstats");
    private Path sources = Path.of("");
    private Registrations registrations = new Registrations();

    @BeforeAll
    void prepareANativeBuild() throws IOException {
        sources = Built.statelessAndNative().resolve("native-sources");
        try (Stream<Path> files = Files.walk(sources)) {
            registrations = Registrations.in(
                    files.filter(file -> file.toString().endsWith(".jar")).toList());
        }
    }

    @Test
    void whatJacksonReadsAndWritesIsRegistered() {
        Set<Need> needs = JsonNeeds.of(main);

        assertTrue(
                needs.stream()
                        .map(Need::name)
                        .toList()
                        .containsAll(List.of(
                                "io.stockstats.web.Problem",
                                "io.stockstats.web.WindowStatsView",
                                "io.stockstats.store.InstanceStatus$PartitionStatus")),
                needs::toString);
        assertMet(needs);
    }

    @Test
    void whatKafkaMakesByNameIsRegistered() throws IOException {
        Set<Need> needs = KafkaNeeds.of(CLASSES.resolve("application.properties"));

        assertTrue(
                needs.stream()
                        .map(Need::name)
                        .toList()
                        .containsAll(List.of(
                                "io.stockstats.topology.BoundedMemory",
                                "io.stockstats.topology.OutputRefusals",
                                "org.apache.kafka.streams.processor.internals.StreamsPartitionAssignor",
                                "org.apache.kafka.common.metrics.JmxReporter")),
                needs::toString);
        assertMet(needs);
    }

    @Test
    void everyWayToSignOnToABrokerIsRegistered() {
        assertMet(KafkaNeeds.sasl());
    }

    @Test
    void whatServiceFilesNameIsRegistered() throws IOException {
        Set<Need> needs;
        try (Stream<Path> files = Files.list(CLASSES.resolve("META-INF/services"))) {
            needs = files.flatMap(NativeRegistrationsIT::lines)
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Need::instance)
                    .collect(toCollection(TreeSet::new));
        }
        assertMet(needs);
    }

    @Test
    void whatRocksDbMakesIsRegistered() throws IOException {
        assertMet(LibraryNeeds.rocksDb(main));
    }

    @Test
    void whatTheCompressionsNeedIsRegistered() throws IOException {
        assertMet(LibraryNeeds.compressions());
    }

    @Test
    void whatMainSetsIsSetWhileTheExecutableIsBuilt() throws IOException {
        String arguments = Files.readString(sources.resolve("native-image.args"));

        assertTrue(arguments.contains("-J-Dvertx.disableURIValidation=true"), arguments);
        assertTrue(arguments.contains("--enable-url-protocols=http,https"), arguments);
    }

    /** Each must be registered; NeedTest has those that are not found. */
    private void assertMet(Set<Need> needs) {
        assertFalse(needs.isEmpty());
        assertEquals(List.of(), Need.missing(needs, registrations));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
