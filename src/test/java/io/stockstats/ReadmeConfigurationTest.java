package io.stockstats;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;

/** The README's tables of settings, {@code | `key` | `default` | meaning |}, tell what the code does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadmeConfigurationTest {

    private static final String OURS = "stockstats.";
    private static final String NO_DEFAULT = "—";
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (?:`([^`]*)`|(—)) \\| (.+) \\|");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^${}]+)}");

    /** By key; the default, or a dash. */
    private final Map<String, String> documented = new TreeMap<>();

    private final Map<String, String> declared = new TreeMap<>();
    private final Properties set = new Properties();

    ReadmeConfigurationTest() throws IOException {
        readTables();
        readMappings();
        try (Reader in = Files.newBufferedReader(Path.of("src/main/resources/application.properties"))) {
            set.load(in);
        }
    }

    private void readTables() throws IOException {
        List<String> section = Files.readAllLines(Path.of("README.md")).stream()
                .dropWhile(line -> !line.equals("## Configuration"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
        for (String line : section) {
            if (line.startsWith("| `")) {
                Matcher row = ROW.matcher(line);
                assertTrue(row.matches(), () -> "not a row of key, default and meaning: " + line);
                String before = documented.put(row.group(1), row.group(2) == null ? NO_DEFAULT : row.group(2));
                assertNull(before, () -> "twice in the README: " + row.group(1));
            }
        }
        assertFalse(documented.isEmpty(), "README.md has no table of settings under ## Configuration");
    }

    private void readMappings() {
        List<? extends Class<?>> mappings = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("io.stockstats").stream()
                        .filter(each -> each.isAnnotatedWith(ConfigMapping.class))
                        .map(JavaClass::reflect)
                        .toList();
        assertFalse(mappings.isEmpty());
        for (Class<?> mapping : mappings) {
            String prefix = mapping.getAnnotation(ConfigMapping.class).prefix();
            for (Method method : mapping.getDeclaredMethods()) {
                if (Modifier.isAbstract(method.getModifiers())) {
                    WithName name = method.getAnnotation(WithName.class);
                    WithDefault otherwise = method.getAnnotation(WithDefault.class);
                    declared.put(
                            prefix + "." + (name == null ? kebab(method.getName()) : name.value()),
                            otherwise == null ? NO_DEFAULT : otherwise.value());
                }
            }
        }
    }

    @Test
    void every_setting_of_ours_is_in_the_README_with_its_default_and_no_other() {
        Map<String, String> ours = new TreeMap<>(documented);
        ours.keySet().removeIf(key -> !key.startsWith(OURS));

        assertEquals(lines(declared), lines(ours));
    }

    @Test
    void settings_of_Kafka_and_Quarkus_in_the_README_are_those_that_the_service_ships() {
        Stream<Executable> each = documented.keySet().stream()
                .filter(key -> !key.startsWith(OURS))
                .map(key -> () -> {
                    assertTrue(isSet(key), () -> key + " is in the README, and application.properties does not set it");
                    assertEquals(shipped(key), documented.get(key), key);
                });

        assertAll(each);
    }

    @Test
    void a_setting_of_ours_is_not_given_another_default_by_the_properties_file() {
        Stream<Executable> each = set.stringPropertyNames().stream()
                .filter(key -> key.startsWith(OURS))
                .map(key -> () -> assertEquals(declared.get(key), set.getProperty(key), key));

        assertAll(each);
    }

    @Test
    void the_properties_file_sets_nothing_of_ours_that_does_not_exist() {
        List<String> unknown = set.stringPropertyNames().stream()
                .map(ReadmeConfigurationTest::withoutProfile)
                .filter(key -> key.startsWith(OURS) && !declared.containsKey(key))
                .sorted()
                .toList();

        assertEquals(List.of(), unknown);
    }

    /** Whether any profile sets it. */
    private boolean isSet(String key) {
        return set.stringPropertyNames().stream()
                .map(ReadmeConfigurationTest::withoutProfile)
                .anyMatch(key::equals);
    }

    /** What holds in production, with references to other settings resolved; a dash when only other profiles set it. */
    private String shipped(String key) {
        String value = set.getProperty("%prod." + key, set.getProperty(key));
        if (value == null) {
            return NO_DEFAULT;
        }
        for (Matcher next = REFERENCE.matcher(value); next.find(); next = REFERENCE.matcher(value)) {
            String name = next.group(1);
            String target = set.getProperty("%prod." + name, set.getProperty(name, declared.get(name)));
            if (target == null) {
                return value;
            }
            value = value.substring(0, next.start()) + target + value.substring(next.end());
        }
        return value;
    }

    private static String withoutProfile(String key) {
        return key.startsWith("%") ? key.substring(key.indexOf('.') + 1) : key;
    }

    private static String kebab(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }

    /** A line for each, so that a difference shows where it is. */
    private static String lines(Map<String, String> settings) {
        return String.join(
                "\n",
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " = " + each.getValue())
                        .toList());
    }
}
