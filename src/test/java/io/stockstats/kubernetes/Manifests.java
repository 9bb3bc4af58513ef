package io.stockstats.kubernetes;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Kubernetes resources, as their YAML says them. */
public final class Manifests {

    private static final ObjectMapper YAML =
            YAMLMapper.builder(new YAMLFactory()).build();

    private final List<JsonNode> resources;

    private Manifests(List<JsonNode> resources) {
        this.resources = resources;
    }

    public static Manifests of(Path... files) {
        List<JsonNode> resources = new ArrayList<>();
        for (Path file : files) {
            try (MappingIterator<JsonNode> documents =
                    YAML.readerFor(JsonNode.class).readValues(file.toFile())) {
                documents.forEachRemaining(resources::add);
            } catch (IOException e) {
                throw new UncheckedIOException(file.toString(), e);
            }
        }
        return new Manifests(resources);
    }

    List<JsonNode> all() {
        return resources;
    }

    public Stream<JsonNode> all(String kind) {
        return resources.stream()
                .filter(resource -> resource.path("kind").asText().equals(kind));
    }

    Optional<JsonNode> find(String kind, String name) {
        return all(kind)
                .filter(resource -> resource.at("/metadata/name").asText().equals(name))
                .findFirst();
    }

    public JsonNode get(String kind, String name) {
        return find(kind, name).orElseThrow(() -> new AssertionError("no " + kind + " " + name));
    }

    /** StatefulSets and Deployments. */
    Stream<JsonNode> workloads() {
        return Stream.concat(all("StatefulSet"), all("Deployment"));
    }

    /**
     * A copy with one value changed.
     *
     * @param yaml the value; empty: it is removed
     */
    Manifests with(String kind, String name, String pointer, String yaml) {
        List<JsonNode> changed = new ArrayList<>();
        resources.forEach(resource -> changed.add(resource.deepCopy()));
        Manifests copy = new Manifests(changed);
        JsonPointer at = JsonPointer.compile(pointer);
        JsonNode parent = copy.get(kind, name).at(at.head());
        String last = at.last().getMatchingProperty();
        try {
            if (parent instanceof ArrayNode array) {
                array.set(at.last().getMatchingIndex(), YAML.readTree(yaml));
            } else if (!(parent instanceof ObjectNode object)) {
                throw new AssertionError("nothing at " + at.head() + " of " + kind + " " + name);
            } else if (yaml.isEmpty()) {
                object.remove(last);
            } else {
                object.set(last, YAML.readTree(yaml));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return copy;
    }

    /** A resource as a person names it. */
    static String name(JsonNode resource) {
        return resource.path("kind").asText() + " "
                + resource.at("/metadata/name").asText();
    }

    public static Stream<JsonNode> items(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    public static Map<String, String> strings(JsonNode object) {
        return object.properties().stream()
                .collect(toMap(Map.Entry::getKey, field -> field.getValue().asText()));
    }
}
