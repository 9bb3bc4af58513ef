package io.stockstats.kubernetes;

import static io.stockstats.kubernetes.Manifests.items;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.custom.Quantity;
import io.stockstats.Built;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests as the build leaves them, checked for what an API server would refuse and for what it would not. */
class ManifestsIT {

    private static final Path FOLDER = Path.of("target", "kubernetes");
    private static final Path FIRST_RELEASE = Path.of("src", "test", "resources", "kubernetes", "first-release.yml");
    private static final Manifests MANIFESTS = in(FOLDER);

    /** {@code stockstats.store-memory}, in MiB. */
    private static final long DEFAULT_STORE_MEMORY = 128;

    /** What Kubernetes lets nobody change. */
    private static final List<String> IMMUTABLE = List.of(
            "/spec/selector",
            "/spec/serviceName",
            "/spec/podManagementPolicy",
            "/spec/volumeClaimTemplates",
            "/spec/clusterIP");

    /** All but the autoscaler, which is for manifests built for it. */
    private static Manifests in(Path folder, String... more) {
        return Manifests.of(Stream.concat(
                        Stream.of("kubernetes.yml", "generator.yml", "servicemonitor.yml", "strimzi.yml"),
                        Stream.of(more))
                .map(folder::resolve)
                .toArray(Path[]::new));
    }

    @Test
    void nothingElseIsThere() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertEquals(
                    Set.of("kubernetes.yml", "generator.yml", "servicemonitor.yml", "autoscaling.yml", "strimzi.yml"),
                    Set.copyOf(files.map(file -> file.getFileName().toString()).toList()));
        }
    }

    @Test
    void anApiServerWouldTakeThem() {
        assertEquals(List.of(), StrictSchema.findings(MANIFESTS));
        assertEquals(List.of(), StrictSchema.findings(Manifests.of(FOLDER.resolve("autoscaling.yml"))));
    }

    @Test
    void theyFitEachOther() {
        assertEquals(List.of(), ManifestRules.findings(MANIFESTS));
        List.of("StatefulSet", "ServiceAccount", "ConfigMap", "PodDisruptionBudget")
                .forEach(kind -> MANIFESTS.get(kind, "stockstats"));
    }

    @Test
    void theImageIsTheSameEverywhere() throws IOException {
        List<String> images = MANIFESTS
                .workloads()
                .flatMap(workload -> items(workload.at("/spec/template/spec/containers")))
                .map(container -> container.path("image").asText())
                .distinct()
                .toList();

        String version = Files.readString(Path.of("pom.xml")).replaceAll("(?s).*?<version>([^<]*)</version>.*", "$1");
        assertEquals(List.of("ghcr.io/stockstats/stockstats:" + version), images);
    }

    /** As the README adds it up; what the JVM, threads and iterators take beside was measured (ImageIT). */
    @Test
    void theMemoryAddsUp() throws IOException {
        String image = Files.readString(Path.of("src", "main", "docker", "Dockerfile.jvm"));
        Map<String, Long> stores = Map.of("stockstats", DEFAULT_STORE_MEMORY, "stockstats-generator", 0L);
        MANIFESTS.workloads().forEach(workload -> {
            long limit = mebibytes(workload.at("/spec/template/spec/containers/0/resources/limits/memory")
                    .asText());

            long taken = limit * option(image, "MaxRAMPercentage") / 100
                    + option(image, "MaxMetaspaceSize")
                    + option(image, "ReservedCodeCacheSize")
                    + option(image, "MaxDirectMemorySize")
                    + stores.get(workload.at("/metadata/name").asText());

            assertTrue(limit - taken >= 100, Manifests.name(workload) + ": " + limit + " MiB, " + taken + " taken");
        });
    }

    private static long option(String image, String name) {
        return Long.parseLong(image.replaceAll("(?s).*-XX:" + name + "=(\\d+).*", "$1"));
    }

    private static long mebibytes(String quantity) {
        return Quantity.fromString(quantity).getNumber().longValueExact() >> 20;
    }

    @Test
    void upgradesChangeNothingThatCannotChange() {
        Manifests first = Manifests.of(FIRST_RELEASE);

        assertEquals(immutable(first), immutable(MANIFESTS));
    }

    @Test
    void anotherVersionBuiltForAnAutoscalerDiffersOnlyWhereKubernetesAllows(@TempDir Path folder)
            throws IOException, InterruptedException {
        // When
        Path built = Built.as(folder, "9.9.9", "-Dautoscaled", "-Danti-affinity=required")
                .resolve("kubernetes");

        // Then
        Manifests other = in(built, "autoscaling.yml");
        assertEquals(List.of(), StrictSchema.findings(other));
        assertEquals(List.of(), ManifestRules.findings(other));
        assertEquals(immutable(MANIFESTS), immutable(other));
        JsonNode set = other.get("StatefulSet", "stockstats");
        assertEquals(
                "ghcr.io/stockstats/stockstats:9.9.9",
                set.at("/spec/template/spec/containers/0/image").asText());
        JsonNode apart = set.at("/spec/template/spec/affinity/podAntiAffinity");
        assertFalse(apart.has("preferredDuringSchedulingIgnoredDuringExecution"));
        assertEquals(
                "kubernetes.io/hostname",
                apart.at("/requiredDuringSchedulingIgnoredDuringExecution/0/topologyKey")
                        .asText());
    }

    @Test
    void theStatelessChoiceIsADeploymentInsteadOfTheStatefulSet() {
        // When
        Path built = Built.statelessAndNative().resolve("kubernetes");

        // Then
        Manifests stateless = in(built, "autoscaling.yml");
        assertEquals(List.of(), StrictSchema.findings(stateless));
        assertEquals(List.of(), ManifestRules.findings(stateless));
        assertTrue(stateless.find("StatefulSet", "stockstats").isEmpty());
        JsonNode deployment = stateless.get("Deployment", "stockstats");
        assertFalse(
                deployment.toString().contains("STOCKSTATS_INSTANCE_NAME"),
                "a name that is not the same after a restart");
        assertFalse(deployment.toString().contains("persistentVolumeClaim"));
    }

    private static List<String> immutable(Manifests manifests) {
        List<String> values = new ArrayList<>();
        manifests
                .all()
                .forEach(resource -> IMMUTABLE.forEach(pointer -> {
                    JsonNode value = resource.at(pointer);
                    boolean workload = Set.of("StatefulSet", "Deployment", "PodDisruptionBudget")
                            .contains(resource.path("kind").asText());
                    if (!value.isMissingNode() && (workload || pointer.equals("/spec/clusterIP"))) {
                        values.add(Manifests.name(resource) + pointer + "=" + value);
                    }
                }));
        values.sort(null);
        return values;
    }

    /** Each check finds the mistake that it is for. */
    @ParameterizedTest(name = "{2}={3}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                // Schema.
                "StatefulSet  | stockstats | /spec/replica | 3 | `replica` in the JSON string is not defined",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/livenessProbes | {} | `livenessProbes`",
                "StatefulSet  | stockstats | /spec/replicas | three | three",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/resources/limits/memory | 768MB | is no quantity: 768MB",
                "StatefulSet  | stockstats | /spec/volumeClaimTemplates/0/spec/resources/requests/storage | 1 GiB | is no quantity: 1 GiB",
                "StatefulSet  | stockstats | /spec/podManagementPolicy | parallel | podManagementPolicy may be one of",
                "StatefulSet  | stockstats | /spec/updateStrategy/type | Recreate | type may be one of",
                "StatefulSet  | stockstats | /spec/volumeClaimTemplates/0/spec/accessModes | [ReadWrite] | accessModes may be one of",
                "NetworkPolicy | stockstats | /spec/policyTypes | [Ingres, Egress] | policyTypes may be one of",
                "Kafka        | stockstats | /spec/kafka/replicas3 | 3 | /Kafka/replicas3 is unknown",
                "KafkaUser    | stockstats | /spec/authorization/acls/0/operations/0 | Reed | is not understood",
                "KafkaTopic   | stocks     | /spec/partition | 6 | /partition is unknown",
                "ServiceMonitor | stockstats | /spec/endpoints/0/intervall | 15s | intervall",
                // Pods.
                "StatefulSet  | stockstats | /spec/selector/matchLabels/version | '1' | does not match the pods' labels",
                "StatefulSet  | stockstats | /spec/template/spec/topologySpreadConstraints/0/labelSelector/matchLabels | {app: stockstats} | does not concern its own pods",
                "StatefulSet  | stockstats | /spec/template/spec/serviceAccountName | default | no ServiceAccount default",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/envFrom/1/configMapRef/name | stockstat | no ConfigMap stockstat",
                "StatefulSet  | stockstats | /spec/template/spec/volumes/1/secret/secretName | kafka | secrets that nobody writes: [kafka]",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/env/0/name | POD_NAME | which does not stand above it",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/volumeMounts/0/name | temp | a mount without a volume: temp",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/env/3/value | /tmp/state | the state directory /tmp/state is on no volume",
                "Deployment   | stockstats-generator | /spec/template/spec/containers/0/env/1/value | rocksdb | the state directory /var/lib/kafka-streams is on no volume",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/readinessProbe/httpGet/path | /q/health/live | readinessProbe asks for",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/livenessProbe/httpGet/port | 9000 | which is not open",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/startupProbe/failureThreshold | 3 | startupProbe kills after 6 s",
                "StatefulSet  | stockstats | /spec/template/spec/terminationGracePeriodSeconds | 20 | is not longer than the longest stop, 25 s",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/resources/requests/memory | 256Mi | may be evicted",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/resources/requests/cpu | \"\" | asks for no CPU",
                // Pod Security.
                "StatefulSet  | stockstats | /spec/template/spec/securityContext/runAsNonRoot | false | may run as root",
                "StatefulSet  | stockstats | /spec/template/spec/securityContext/runAsUser | 0 | runs as root",
                "StatefulSet  | stockstats | /spec/template/spec/securityContext/seccompProfile | \"\" | has no seccomp profile",
                "StatefulSet  | stockstats | /spec/template/spec/automountServiceAccountToken | \"\" | gets a token",
                "StatefulSet  | stockstats | /spec/template/spec/hostNetwork | true | hostNetwork",
                "StatefulSet  | stockstats | /spec/template/spec/volumes/0 | {name: tmp, hostPath: {path: /tmp}} | volume of a forbidden type",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/securityContext/allowPrivilegeEscalation | \"\" | allows privilege escalation",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/securityContext/privileged | true | is privileged",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/securityContext/capabilities/add | [NET_ADMIN] | has capabilities",
                "StatefulSet  | stockstats | /spec/template/spec/containers/0/securityContext/readOnlyRootFilesystem | false | can write its root file system",
                "Deployment   | stockstats-generator | /spec/template/spec/containers/0/ports/0/hostPort | 80 | takes a port of its node",
                // What selects pods.
                "StatefulSet  | stockstats | /spec/podManagementPolicy | OrderedReady | one by one",
                "StatefulSet  | stockstats | /spec/serviceName | peers | no Service peers",
                "StatefulSet  | stockstats | /spec/serviceName | stockstats | stockstats is not headless",
                "Service      | stockstats-peers | /spec/publishNotReadyAddresses | false | does not know pods that are not ready",
                "Service      | stockstats-peers | /spec/ports/0/port | 80 | instances are not reached at",
                "Service      | stockstats | /spec/selector | {app: stockstats} | selects no pods",
                "Service      | stockstats | /spec/ports/0/targetPort | 80 | the port 80 is not open",
                "PodDisruptionBudget | stockstats | /spec/selector/matchLabels | {app: stockstats} | selects no pods",
                "PodDisruptionBudget | stockstats | /spec/maxUnavailable | 2 | an owner and its copy",
                "NetworkPolicy | stockstats | /spec/podSelector/matchLabels | {app: stockstats} | selects no pods",
                "NetworkPolicy | stockstats | /spec/ingress/0/ports/0/port | 80 | lets nobody in",
                "NetworkPolicy | stockstats | /spec/egress/0/ports | [] | lets nobody ask for names",
                "NetworkPolicy | stockstats | /spec/egress/2/ports/0/endPort | 9092 | lets nobody reach Kafka",
                "ServiceMonitor | stockstats | /spec/selector/matchLabels | {app: stockstats} | selects 0 services",
                "ServiceMonitor | stockstats | /spec/endpoints/0/port | metrics | has no port",
                // Kafka.
                "KafkaTopic   | stocks | /metadata/labels | {strimzi.io/cluster: kafka} | no Kafka kafka",
                "KafkaTopic   | stocks | /spec/replicas | 1 | loses records with a broker",
                "ConfigMap    | stockstats | /data/KAFKA_BOOTSTRAP_SERVERS | kafka:9093 | nobody listens at kafka:9093",
            })
    void findsThePlantedMistake(String kind, String name, String pointer, String yaml, String finding) {
        Manifests planted = MANIFESTS.with(kind, name, pointer, yaml);

        List<String> findings = Stream.concat(
                        StrictSchema.findings(planted).stream(), ManifestRules.findings(planted).stream())
                .toList();

        assertTrue(findings.stream().anyMatch(found -> found.contains(finding)), findings::toString);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/spec/triggers/0/metadata/lagTreshold | '10' | lagTreshold",
                "/spec/maxReplicaCount | 12 | more instances than partitions of stocks",
                "/spec/scaleTargetRef/name | stockstat | scales nothing",
                "/spec/triggers/0/authenticationRef/name | kafka | no TriggerAuthentication kafka",
                "/spec/triggers/0/metadata/bootstrapServers | kafka:9093 | nobody listens at kafka:9093",
                "/spec/triggers/0/metadata/bootstrapServers | stockstats-kafka-bootstrap:9093 | cannot find stockstats",
                "/metadata/annotations | {} | fights the replicas of stockstats",
            })
    void findsThePlantedMistakeOfTheAutoscaler(String pointer, String yaml, String finding) {
        Manifests planted = in(FOLDER, "autoscaling.yml").with("ScaledObject", "stockstats", pointer, yaml);

        List<String> findings = Stream.concat(
                        StrictSchema.findings(planted).stream(), ManifestRules.findings(planted).stream())
                .toList();

        assertTrue(findings.stream().anyMatch(found -> found.contains(finding)), findings::toString);
    }
}
