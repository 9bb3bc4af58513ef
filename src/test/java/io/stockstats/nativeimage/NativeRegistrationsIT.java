package io.stockstats.nativeimage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.stockstats.Built;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.jar.JarFile;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.streams.StreamsConfig;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is found by its name or looked into at run time must be registered when the native executable is built. The
 * build's last step but one, which needs no native-image, says what is; the classes and settings say what must be.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NativeRegistrationsIT {

    private static final String BASE = "io.stockstats";

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(BASE);
    private final Set<String> registered = new TreeSet<>();

    @BeforeAll
    void readRegistrations(@TempDir Path folder) throws IOException, InterruptedException {
        Path sources = Built.as(folder, "0.1.0", "-Dnative", "-Dquarkus.native.sources-only=true")
                .resolve("native-sources");
        try (Stream<Path> files = Files.list(sources);
                JarFile jar = new JarFile(files.filter(file -> file.toString().endsWith("-runner.jar"))
                        .findFirst()
                        .orElseThrow()
                        .toFile());
                InputStream config = jar.getInputStream(jar.getEntry("META-INF/native-image/reflect-config.json"))) {
            for (JsonNode each : new ObjectMapper().readTree(config)) {
                // With one constructor or all of them: without, it is known and cannot be made.
                if (each.path("allDeclaredConstructors").asBoolean()
                        || each.path("methods").toString().contains("<init>")) {
                    registered.add(each.path("name").asText());
                }
            }
        }
    }

    @Test
    void whatSettingsNameIsRegistered() throws IOException {
        Set<String> named = namedBySettings();

        assertTrue(
                named.containsAll(List.of(
                        "io.stockstats.topology.OutputRefusals",
                        "io.stockstats.topology.BoundedMemory",
                        "io.stockstats.dev.DevBrokerConfig",
                        "org.apache.kafka.common.serialization.ByteArraySerializer")),
                named::toString);
        assertEquals(Set.of(), missing(named, registered));
    }

    @Test
    void whatKafkaNamesByItselfIsRegistered() {
        Set<String> named = namedByKafka();

        assertTrue(
                named.contains("org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier"),
                named::toString);
        assertEquals(Set.of(), missing(named, registered));
    }

    @Test
    void whatIsReadOrWrittenAsJsonIsRegistered() {
        Set<String> json = json();

        assertTrue(
                json.containsAll(List.of(
                        "io.stockstats.web.Problem",
                        "io.stockstats.web.WindowStatsView",
                        "io.stockstats.store.InstanceStatus",
                        "io.stockstats.store.InstanceStatus$PartitionStatus")),
                json::toString);
        assertEquals(Set.of(), missing(json, registered));
    }

    Stream<String> needed() throws IOException {
        return Stream.of(namedBySettings(), namedByKafka(), json())
                .flatMap(Collection::stream)
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("needed")
    void anOmissionWouldBeFound(String name) throws IOException {
        Set<String> without = new TreeSet<>(registered);
        without.remove(name);

        Set<String> found = new TreeSet<>(missing(namedBySettings(), without));
        found.addAll(missing(namedByKafka(), without));
        found.addAll(missing(json(), without));
        assertEquals(Set.of(name), found);
    }

    /** What would escape the build: it is not used. */
    @Test
    void nothingElseIsLookedUpByName() {
        noClasses()
                .should()
                .callMethod(Class.class, "forName", String.class)
                .orShould()
                .callMethod(Class.class, "getResource", String.class)
                .orShould()
                .callMethod(Class.class, "getResourceAsStream", String.class)
                .orShould()
                .dependOnClassesThat()
                .belongToAnyOf(ServiceLoader.class, ClassLoader.class, java.lang.reflect.Proxy.class)
                .check(main.that(new DescribedPredicate<>("are in the package") {
                    @Override
                    public boolean test(JavaClass each) {
                        // Dev mode's broker is not.
                        return !each.getPackageName().startsWith(BASE + ".dev");
                    }
                }));
    }

    /** Static fields have the values of the build machine: none may be of its time, its chance, or its threads. */
    @Test
    void nothingOfTheBuildMachineIsKept() {
        fields().that()
                .areStatic()
                .should()
                .notHaveRawType(Instant.class)
                .andShould()
                .notHaveRawType(UUID.class)
                .andShould()
                .notHaveRawType(new DescribedPredicate<>("of time, chance or threads") {
                    @Override
                    public boolean test(JavaClass type) {
                        return Stream.of(Clock.class, Random.class, RandomGenerator.class, Executor.class, Thread.class)
                                .anyMatch(type::isAssignableTo);
                    }
                })
                .check(main);
    }

    /** Values of application.properties that are classes, and the services' providers. */
    private static Set<String> namedBySettings() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of("src", "main", "resources", "application.properties"))) {
            properties.load(reader);
        }
        List<String> names = new ArrayList<>();
        properties.values().forEach(value -> names.add(value.toString()));
        try (Stream<Path> services = Files.list(Path.of("src", "main", "resources", "META-INF", "services"))) {
            for (Path service : services.toList()) {
                names.addAll(Files.readAllLines(service));
            }
        }
        return names.stream().filter(NativeRegistrationsIT::isClass).collect(toCollection(TreeSet::new));
    }

    /** Defaults of its settings that are classes. */
    private static Set<String> namedByKafka() {
        return Stream.of(
                        StreamsConfig.configDef(),
                        ConsumerConfig.configDef(),
                        ProducerConfig.configDef(),
                        AdminClientConfig.configDef())
                .flatMap(def -> def.configKeys().values().stream())
                .flatMap(NativeRegistrationsIT::defaults)
                .filter(NativeRegistrationsIT::isClass)
                .collect(toCollection(TreeSet::new));
    }

    private static Stream<String> defaults(ConfigDef.ConfigKey key) {
        Object value = key.defaultValue;
        if (value instanceof Class<?> type) {
            return Stream.of(type.getName());
        }
        return value instanceof List<?> list
                ? list.stream().map(each -> each instanceof Class<?> type ? type.getName() : String.valueOf(each))
                : Stream.of(String.valueOf(value));
    }

    private static boolean isClass(String name) {
        try {
            return name.contains(".")
                    && !Class.forName(name, false, NativeRegistrationsIT.class.getClassLoader())
                            .isInterface();
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Records that HTTP answers are made of, and those that other instances' answers are read into. */
    private Set<String> json() {
        Set<JavaClass> types = new LinkedHashSet<>();
        main.stream()
                .filter(each -> each.isRecord() && each.getPackageName().equals(BASE + ".web"))
                .forEach(each -> add(each, types));
        main.stream()
                .filter(each -> each.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(ObjectMapper.class)
                                && call.getName().equals("readValue")))
                .flatMap(each -> each.getReferencedClassObjects().stream())
                .forEach(reference -> add(reference.getRawType(), types));
        return types.stream().map(JavaClass::getName).collect(toCollection(TreeSet::new));
    }

    private void add(JavaClass type, Set<JavaClass> types) {
        if (type.isRecord() && type.getName().startsWith(BASE) && types.add(type)) {
            type.getFields().stream()
                    .flatMap(field -> field.getAllInvolvedRawTypes().stream())
                    .forEach(each -> add(each, types));
        }
    }

    private static Set<String> missing(Set<String> needed, Set<String> registered) {
        Set<String> missing = new TreeSet<>(needed);
        missing.removeAll(registered);
        return missing;
    }
}
