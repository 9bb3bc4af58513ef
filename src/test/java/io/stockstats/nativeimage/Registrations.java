package io.stockstats.nativeimage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

/** What {@code native-image} is told in the files under {@code META-INF/native-image}. */
final class Registrations {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern FILE =
            Pattern.compile("META-INF/native-image/(?:.*/)?(reflect|jni|resource)-config\\.json");

    private final Map<String, Set<String>> reflection = new HashMap<>();
    private final Map<String, Set<String>> jni = new HashMap<>();
    private final Set<String> resources = new HashSet<>();

    /** Those in all of these jars. */
    static Registrations in(Collection<Path> jars) throws IOException {
        Registrations registrations = new Registrations();
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                for (JarEntry entry : file.stream().toList()) {
                    var name = FILE.matcher(entry.getName());
                    if (name.matches()) {
                        registrations.add(name.group(1), JSON.readTree(file.getInputStream(entry)));
                    }
                }
            }
        }
        return registrations;
    }

    /** Those in one file: of reflection, JNI or resources. */
    Registrations add(String kind, JsonNode file) {
        switch (kind) {
            case "reflect" -> file.forEach(type -> add(reflection, type));
            case "jni" -> file.forEach(type -> add(jni, type));
            default ->
                file.path("resources")
                        .path("includes")
                        .forEach(each -> resources.add(each.path("pattern").asText()));
        }
        return this;
    }

    private static void add(Map<String, Set<String>> types, JsonNode type) {
        // What is only for when something else is there cannot be relied on, but for a type's own presence.
        String name = type.path("name").asText();
        String condition = type.path("condition").path("typeReachable").asText();
        if (!condition.isEmpty() && !condition.equals(name)) {
            return;
        }
        Set<String> members = types.computeIfAbsent(name, each -> new HashSet<>());
        for (String all : List.of("Constructors", "Methods", "Fields")) {
            if (type.path("allDeclared" + all).asBoolean()) {
                members.add(all.toLowerCase(Locale.ROOT));
            }
        }
        type.path("methods").forEach(method -> {
            String member = method.path("name").asText();
            members.add(member.equals("<init>") ? "constructors" : member);
        });
        type.path("fields").forEach(field -> members.add(field.path("name").asText()));
    }

    boolean meet(Need need) {
        return switch (need.access()) {
            case REFLECTION -> has(reflection, need);
            case JNI -> has(jni, need);
            case RESOURCE -> resources.stream().anyMatch(pattern -> Pattern.matches(pattern, need.name()));
        };
    }

    private static boolean has(Map<String, Set<String>> types, Need need) {
        Set<String> members = types.get(need.name());
        return members != null && (need.member().isEmpty() || members.contains(need.member()));
    }
}
