package io.stockstats;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.reactive.messaging.annotations.Channel;
import io.stockstats.topology.InstanceConfig;
import io.stockstats.topology.PartitionCount;
import io.stockstats.topology.PartitionTimes;
import io.stockstats.topology.StatsTopology;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds what keeps the code in layers: who may use whom, and a few habits. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {

    private static final String BASE = "io.stockstats";

    /** What each package may use of ours. A package that is not here fails the test, and so does an unused arrow. */
    private static final Map<String, Set<String>> MAY_USE = Map.ofEntries(
            Map.entry("trade", Set.of()),
            Map.entry("stats", Set.of("trade")),
            Map.entry("wire", Set.of("trade", "stats")),
            Map.entry("topology", Set.of("trade", "stats", "wire")),
            Map.entry("generate", Set.of("trade", "wire")),
            Map.entry("store", Set.of("trade", "stats", "wire", "topology")),
            Map.entry("query", Set.of("trade", "stats", "store", "topology", "wire")),
            Map.entry("live", Set.of("trade", "stats", "wire", "store", "topology", "query")),
            Map.entry("web", Set.of("trade", "stats", "store", "query", "live")),
            Map.entry("ops", Set.of("live", "query", "store", "topology", "wire")),
            Map.entry("dev", Set.of()));

    /** What the packages without framework may use beside ours. */
    private static final String[] JDK = {"java..", "org.jspecify.annotations"};

    private static final String[] BROKER = {
        "kafka..",
        "scala..",
        "org.apache.kafka.controller..",
        "org.apache.kafka.image..",
        "org.apache.kafka.metadata..",
        "org.apache.kafka.raft..",
        "org.apache.kafka.server..",
        "org.apache.kafka.storage.."
    };

    static final Set<String> PACKAGES = new TreeSet<>(MAY_USE.keySet());

    private final JavaClasses main = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(BASE);
    private final JavaClasses tests = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages(BASE);

    @ParameterizedTest
    @FieldSource("PACKAGES")
    void a_package_uses_only_the_packages_that_it_may(String name) {
        Set<String> allowed = MAY_USE.get(name);
        String[] forbidden = PACKAGES.stream()
                .filter(other -> !other.equals(name) && !allowed.contains(other))
                .map(ArchitectureTest::packageOf)
                .toArray(String[]::new);

        noClasses()
                .that()
                .resideInAPackage(packageOf(name))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .check(main);
    }

    @ParameterizedTest
    @FieldSource("PACKAGES")
    void a_package_may_use_no_more_than_it_does(String name) {
        Set<String> used = main.stream()
                .filter(each -> each.getPackageName().equals(BASE + "." + name))
                .flatMap(each -> each.getDirectDependenciesFromSelf().stream())
                .map(dependency -> dependency.getTargetClass().getPackageName())
                .filter(target -> target.startsWith(BASE + ".") && !target.equals(BASE + "." + name))
                .map(target -> target.substring(BASE.length() + 1))
                .collect(toCollection(TreeSet::new));

        assertEquals(new TreeSet<>(MAY_USE.get(name)), used);
    }

    @Test
    void every_package_has_its_place() {
        Set<String> found = main.stream()
                .map(each -> each.getPackageName().substring(BASE.length()).replaceFirst("^\\.", ""))
                .collect(toCollection(TreeSet::new));

        assertEquals(PACKAGES, found);
    }

    @Test
    void packages_form_no_cycle() {
        slices().matching(BASE + ".(*)..").should().beFreeOfCycles().check(main);
    }

    @Test
    void values_and_arithmetic_need_nothing_but_the_JDK() {
        noClasses()
                .that()
                .resideInAnyPackage(packageOf("trade"), packageOf("stats"))
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(JDK))
                        .and(not(resideInAnyPackage(packageOf("trade"), packageOf("stats")))))
                .check(main);
    }

    @Test
    void queries_know_of_the_topology_only_where_a_ticker_lies() {
        classes()
                .that()
                .resideInAPackage(packageOf("query"))
                // Which only puts the readers together.
                .and()
                .haveSimpleNameNotEndingWith("Producer")
                .should()
                .onlyDependOnClassesThat(
                        not(resideInAnyPackage(packageOf("topology"))).or(type(StatsTopology.class)))
                .check(main);
        noClasses()
                .that()
                .resideInAPackage(packageOf("query"))
                .and()
                .haveSimpleNameNotEndingWith("Producer")
                .should()
                .accessTargetWhere(
                        target(owner(resideInAnyPackage(packageOf("topology")))).and(target(not(name("partitionOf")))))
                .check(main);
        classes()
                .that()
                .resideInAPackage(packageOf("query"))
                .should()
                .onlyDependOnClassesThat(not(resideInAnyPackage(packageOf("topology")))
                        .or(type(StatsTopology.class))
                        .or(type(PartitionTimes.class))
                        .or(type(PartitionCount.class))
                        .or(type(InstanceConfig.class)))
                .check(main);
    }

    @Test
    void only_dev_mode_uses_the_broker() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packageOf("dev"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BROKER)
                .check(main);
    }

    @Test
    void HTTP_stays_in_its_package() {
        noClasses()
                .that()
                .resideOutsideOfPackage(packageOf("web"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.ws.rs..", "io.vertx.ext.web..", "org.eclipse.microprofile.openapi..")
                .check(main);
    }

    @ParameterizedTest
    @MethodSource("productionAndTests")
    void no_package_is_a_drawer(JavaClasses some) {
        noClasses()
                .should()
                .resideInAnyPackage("..util..", "..utils..", "..common..", "..impl..", "..constants..")
                .check(some);
    }

    @Test
    void every_package_says_what_it_is_and_is_null_marked() throws IOException {
        Pattern sentence =
                Pattern.compile("/\\*\\* [A-Z][^@]*[.] \\*/\\R@NullMarked\\Rpackage [a-z.]+;\\R.*", Pattern.DOTALL);
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            Set<Path> folders = files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .collect(toCollection(TreeSet::new));
            assertFalse(folders.isEmpty());
            for (Path folder : folders) {
                Path info = folder.resolve("package-info.java");
                assertTrue(Files.exists(info), () -> info + " is missing");
                String text = Files.readString(info);
                assertTrue(
                        sentence.matcher(text).matches(),
                        () -> info + " must be one Javadoc comment and @NullMarked, and is\n" + text);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("productionAndTests")
    void logging_goes_through_one_door(JavaClasses some) {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.logging\\.(Logger|LogManager)")
                .check(some);
    }

    @Test
    void the_service_prints_nothing() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(main);
    }

    @Test
    void tests_do_not_sleep() {
        noClasses()
                .should()
                .accessTargetWhere(target(owner(type(Thread.class).or(type(TimeUnit.class))))
                        .and(target(name("sleep"))))
                .check(tests);
    }

    @Test
    void nothing_is_injected_into_fields() {
        noFields()
                .should()
                .beAnnotatedWith(Inject.class)
                .orShould()
                // Quarkus takes these for an injection point without @Inject.
                .beAnnotatedWith(ConfigProperty.class)
                .orShould()
                .beAnnotatedWith(org.eclipse.microprofile.reactive.messaging.Channel.class)
                .orShould()
                .beAnnotatedWith(Channel.class)
                .check(main);
    }

    @Test
    void no_state_is_static() {
        noFields().that().areStatic().should().notBeFinal().check(main);
    }

    /** Static fields of a native executable have the values that they had where it was built. */
    @Test
    void nothing_of_the_build_machine_is_kept() {
        noFields()
                .that()
                .areStatic()
                .should()
                .haveRawType(DescribedPredicate.describe(
                        "of time, chance or threads",
                        type -> Stream.of(
                                        Clock.class,
                                        Instant.class,
                                        UUID.class,
                                        Random.class,
                                        RandomGenerator.class,
                                        Executor.class,
                                        Thread.class)
                                .anyMatch(type::isAssignableTo)))
                .check(main);
    }

    private Stream<JavaClasses> productionAndTests() {
        return Stream.of(main, tests);
    }

    private static String packageOf(String name) {
        return BASE + "." + name + "..";
    }
}
