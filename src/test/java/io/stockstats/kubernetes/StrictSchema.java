package io.stockstats.kubernetes;

import static io.stockstats.kubernetes.Manifests.items;
import static io.stockstats.kubernetes.Manifests.name;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.strimzi.api.kafka.model.kafka.Kafka;
import io.strimzi.api.kafka.model.nodepool.KafkaNodePool;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What an API server would refuse by its schemas: unknown fields, wrong types, quantities that are none, values that an
 * enumeration does not have.
 */
final class StrictSchema {

    private static final Map<String, Class<?>> KUBERNETES = Map.of(
            "v1 ConfigMap", V1ConfigMap.class,
            "v1 Service", V1Service.class,
            "v1 ServiceAccount", V1ServiceAccount.class,
            "apps/v1 StatefulSet", V1StatefulSet.class,
            "apps/v1 Deployment", V1Deployment.class,
            "networking.k8s.io/v1 NetworkPolicy", V1NetworkPolicy.class,
            "policy/v1 PodDisruptionBudget", V1PodDisruptionBudget.class);

    private static final Map<String, Class<?>> STRIMZI = Map.of(
            "kafka.strimzi.io/v1 Kafka", Kafka.class,
            "kafka.strimzi.io/v1 KafkaNodePool", KafkaNodePool.class,
            "kafka.strimzi.io/v1 KafkaTopic", KafkaTopic.class,
            "kafka.strimzi.io/v1 KafkaUser", KafkaUser.class);

    /** Kinds for which nobody publishes classes: the schemas are those of their documentation. */
    private static final Set<String> DOCUMENTED = Set.of(
            "monitoring.coreos.com/v1 ServiceMonitor",
            "keda.sh/v1alpha1 ScaledObject",
            "keda.sh/v1alpha1 TriggerAuthentication");

    /** The values of enumerations, by the name of the field: Kubernetes' classes have them as text. */
    private static final Map<String, Set<String>> ENUMERATIONS = Map.ofEntries(
            Map.entry("podManagementPolicy", Set.of("Parallel", "OrderedReady")),
            Map.entry("whenDeleted", Set.of("Retain", "Delete")),
            Map.entry("whenScaled", Set.of("Retain", "Delete")),
            Map.entry("imagePullPolicy", Set.of("Always", "IfNotPresent", "Never")),
            Map.entry("whenUnsatisfiable", Set.of("DoNotSchedule", "ScheduleAnyway")),
            Map.entry("accessModes", Set.of("ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany", "ReadWriteMany")),
            Map.entry("fsGroupChangePolicy", Set.of("OnRootMismatch", "Always")),
            Map.entry("protocol", Set.of("TCP", "UDP", "SCTP")),
            Map.entry("policyTypes", Set.of("Ingress", "Egress")),
            Map.entry("unhealthyPodEvictionPolicy", Set.of("IfHealthyBudget", "AlwaysAllow")),
            Map.entry("scheme", Set.of("HTTP", "HTTPS")));

    /** The same for fields named {@code type}, by the name of the object that they are in. */
    private static final Map<String, Set<String>> TYPES = Map.of(
            "updateStrategy", Set.of("RollingUpdate", "OnDelete"),
            "strategy", Set.of("RollingUpdate", "Recreate"),
            "seccompProfile", Set.of("RuntimeDefault", "Localhost", "Unconfined"));

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ObjectMapper STRIMZI_MAPPER =
            new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_EMPTY);

    private StrictSchema() {}

    static List<String> findings(Manifests manifests) {
        List<String> findings = new ArrayList<>();
        for (JsonNode resource : manifests.all()) {
            List<String> found = new ArrayList<>();
            String kind = resource.path("apiVersion").asText() + " "
                    + resource.path("kind").asText();
            if (KUBERNETES.containsKey(kind)) {
                kubernetes(resource, Objects.requireNonNull(KUBERNETES.get(kind)), found);
                enumerations("", "", resource, found);
            } else if (STRIMZI.containsKey(kind)) {
                strimzi(resource, Objects.requireNonNull(STRIMZI.get(kind)), found);
            } else if (DOCUMENTED.contains(kind)) {
                documented(resource, found);
            } else {
                found.add("no schema for " + kind);
            }
            found.forEach(finding -> findings.add(name(resource) + ": " + finding));
        }
        return findings;
    }

    private static void kubernetes(JsonNode resource, Class<?> type, List<String> findings) {
        try {
            JSON.getGson().fromJson(MAPPER.writeValueAsString(resource), type);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            // Gson's own, and IllegalArgumentException from the model's check for unknown and missing fields.
            findings.add(String.valueOf(e.getMessage()));
        }
        quantities(resource, findings);
    }

    private static void quantities(JsonNode node, List<String> findings) {
        node.properties().forEach(field -> {
            if (Set.of("requests", "limits").contains(field.getKey())) {
                field.getValue().forEach(value -> quantity(field.getKey(), value.asText(), findings));
            } else if (field.getKey().equals("sizeLimit")) {
                quantity("sizeLimit", field.getValue().asText(), findings);
            }
        });
        node.forEach(child -> quantities(child, findings));
    }

    private static void quantity(String field, String text, List<String> findings) {
        try {
            Quantity.fromString(text);
        } catch (RuntimeException e) {
            findings.add(field + " is no quantity: " + text);
        }
    }

    private static void enumerations(String parent, String field, JsonNode node, List<String> findings) {
        Set<String> values = field.equals("type")
                ? TYPES.get(parent)
                : node.isTextual() || node.isArray() ? ENUMERATIONS.get(field) : null;
        if (values != null) {
            (node.isArray() ? items(node) : List.of(node).stream())
                    .map(JsonNode::asText)
                    .filter(value -> !values.contains(value))
                    .forEach(value -> findings.add(field + " may be one of " + values + ", not " + value));
        } else if (node.isArray()) {
            node.forEach(item -> enumerations(parent, field, item, findings));
        } else {
            node.properties().forEach(child -> enumerations(field, child.getKey(), child.getValue(), findings));
        }
    }

    /** Read and written again it must be the same: unknown fields are kept apart, and unknown values are lost. */
    private static void strimzi(JsonNode resource, Class<?> type, List<String> findings) {
        try {
            Object read = STRIMZI_MAPPER.treeToValue(resource, type);
            // The class itself says an older version, which it is the same for.
            same(
                    "/metadata",
                    resource.path("metadata"),
                    STRIMZI_MAPPER.valueToTree(read).path("metadata"),
                    findings);
            same(
                    "/spec",
                    resource.path("spec"),
                    STRIMZI_MAPPER.valueToTree(read).path("spec"),
                    findings);
            unknown("", read, findings);
        } catch (JsonProcessingException e) {
            findings.add(e.getOriginalMessage());
        }
    }

    private static void same(String path, JsonNode said, JsonNode understood, List<String> findings) {
        if (said.isObject()) {
            said.properties()
                    .forEach(field -> same(
                            path + "/" + field.getKey(), field.getValue(), understood.path(field.getKey()), findings));
        } else if (said.isArray() && understood.size() == said.size()) {
            for (int i = 0; i < said.size(); i++) {
                same(path + "/" + i, said.get(i), understood.get(i), findings);
            }
        } else if (!said.asText().equals(understood.asText()) && !(isDefault(said) && understood.isMissingNode())) {
            findings.add(path + " is not understood: " + said);
        }
    }

    /** What is left out when it is written. */
    private static boolean isDefault(JsonNode value) {
        return value.isBoolean() && !value.asBoolean() || value.isInt() && value.asInt() == 0;
    }

    private static void unknown(String path, Object read, List<String> findings) {
        if (read instanceof List<?> list) {
            list.stream().filter(Objects::nonNull).forEach(item -> unknown(path, item, findings));
        } else if (read.getClass().getName().startsWith("io.strimzi.")
                || read.getClass().getName().startsWith("io.fabric8.")) {
            for (var method : read.getClass().getMethods()) {
                if (method.getName().startsWith("get")
                        && method.getParameterCount() == 0
                        && !method.getDeclaringClass().equals(Object.class)) {
                    Object value;
                    try {
                        value = method.invoke(read);
                    } catch (ReflectiveOperationException e) {
                        throw new AssertionError(method.toString(), e);
                    }
                    if (method.getName().equals("getAdditionalProperties")) {
                        ((Map<?, ?>) value).keySet().forEach(field -> findings.add(path + "/" + field + " is unknown"));
                    } else if (value != null && !(value instanceof Enum)) {
                        unknown(path + "/" + method.getName().substring(3), value, findings);
                    }
                }
            }
        }
    }

    private static void documented(JsonNode resource, List<String> findings) {
        String file = "/kubernetes/" + resource.path("kind").asText() + ".schema.json";
        try (InputStream in = Objects.requireNonNull(StrictSchema.class.getResourceAsStream(file), file)) {
            Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(in, InputFormat.JSON);
            schema.validate(resource).forEach(error -> findings.add(error.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
