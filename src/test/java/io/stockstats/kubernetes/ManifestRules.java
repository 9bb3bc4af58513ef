package io.stockstats.kubernetes;

import static io.stockstats.kubernetes.Manifests.items;
import static io.stockstats.kubernetes.Manifests.name;
import static io.stockstats.kubernetes.Manifests.strings;

import com.fasterxml.jackson.databind.JsonNode;
import io.kubernetes.client.custom.Quantity;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What no schema says: that resources fit each other, and that pods are as restricted as they should be. */
final class ManifestRules {

    /** What a stop takes at most: the stream's close and the last requests (StreamsLifecycle, quarkus.shutdown.timeout). */
    private static final int LONGEST_STOP_SECONDS = 15 + 5;

    /** A slow node's first start. */
    private static final int PATIENCE_SECONDS = 300;

    /** Which the README asks the user for. */
    private static final Set<String> DOCUMENTED_SECRETS = Set.of("stockstats-credentials");

    /** The image's, where the pod names none. */
    private static final String STATE_FOLDER = "/var/lib/kafka-streams";

    private static final Pattern REFERENCE = Pattern.compile("\\$\\((\\w+)\\)");

    private final Manifests manifests;
    private final List<String> findings = new ArrayList<>();

    private ManifestRules(Manifests manifests) {
        this.manifests = manifests;
    }

    static List<String> findings(Manifests manifests) {
        ManifestRules rules = new ManifestRules(manifests);
        manifests.workloads().forEach(rules::workload);
        manifests.all("StatefulSet").forEach(rules::statefulSet);
        manifests.all("Service").forEach(rules::service);
        manifests.all("PodDisruptionBudget").forEach(rules::disruptionBudget);
        manifests.all("NetworkPolicy").forEach(rules::networkPolicy);
        manifests.all("ServiceMonitor").forEach(rules::serviceMonitor);
        manifests.all("ScaledObject").forEach(rules::scaledObject);
        manifests.all("KafkaTopic").forEach(rules::kafkaTopic);
        manifests.all("ConfigMap").forEach(rules::bootstrapServers);
        return rules.findings;
    }

    private void check(boolean right, JsonNode resource, String finding) {
        if (!right) {
            findings.add(name(resource) + ": " + finding);
        }
    }

    // ---- pods ----

    private void workload(JsonNode workload) {
        JsonNode template = workload.at("/spec/template");
        Map<String, String> labels = strings(template.at("/metadata/labels"));
        check(
                selects(workload.at("/spec/selector"), labels),
                workload,
                "the selector " + workload.at("/spec/selector") + " does not match the pods' labels " + labels);
        spread(workload, template, labels);
        references(workload, template.path("spec"));
        restricted(workload, template.path("spec"));
        items(template.at("/spec/containers")).forEach(container -> {
            environment(workload, container);
            mounts(workload, template.path("spec"), container);
            probes(workload, container);
            memory(workload, container);
            int grace = template.at("/spec/terminationGracePeriodSeconds").asInt();
            int before = container.at("/lifecycle/preStop/sleep/seconds").asInt();
            check(
                    grace > before + LONGEST_STOP_SECONDS,
                    workload,
                    "terminationGracePeriodSeconds " + grace + " is not longer than the longest stop, "
                            + (before + LONGEST_STOP_SECONDS) + " s");
        });
    }

    private void spread(JsonNode workload, JsonNode template, Map<String, String> labels) {
        JsonNode apart = template.at("/spec/affinity/podAntiAffinity");
        Stream.concat(
                        Stream.concat(
                                items(apart.path("preferredDuringSchedulingIgnoredDuringExecution"))
                                        .map(term -> term.at("/podAffinityTerm/labelSelector")),
                                items(apart.path("requiredDuringSchedulingIgnoredDuringExecution"))
                                        .map(term -> term.path("labelSelector"))),
                        items(template.at("/spec/topologySpreadConstraints"))
                                .map(constraint -> constraint.path("labelSelector")))
                .forEach(selector -> check(
                        selects(selector, labels),
                        workload,
                        "affinity or spread by " + selector + " does not concern its own pods " + labels));
    }

    private void references(JsonNode workload, JsonNode pod) {
        String account = pod.path("serviceAccountName").asText();
        check(manifests.find("ServiceAccount", account).isPresent(), workload, "no ServiceAccount " + account);
        Set<String> secrets = new LinkedHashSet<>();
        items(pod.path("volumes")).forEach(volume -> {
            add(secrets, volume.at("/secret/secretName"));
            configMap(workload, volume.at("/configMap/name"));
        });
        items(pod.path("containers")).forEach(container -> {
            items(container.path("envFrom")).forEach(from -> {
                add(secrets, from.at("/secretRef/name"));
                configMap(workload, from.at("/configMapRef/name"));
            });
            items(container.path("env")).forEach(variable -> {
                add(secrets, variable.at("/valueFrom/secretKeyRef/name"));
                configMap(workload, variable.at("/valueFrom/configMapKeyRef/name"));
            });
        });
        secrets.removeAll(knownSecrets());
        check(secrets.isEmpty(), workload, "secrets that nobody writes: " + secrets);
    }

    /** The user operator writes one of each user's name, the cluster operator each cluster's certificate. */
    private Set<String> knownSecrets() {
        Set<String> secrets = new HashSet<>(DOCUMENTED_SECRETS);
        manifests
                .all("KafkaUser")
                .forEach(user -> secrets.add(user.at("/metadata/name").asText()));
        manifests
                .all("Kafka")
                .forEach(kafka -> secrets.add(kafka.at("/metadata/name").asText() + "-cluster-ca-cert"));
        return secrets;
    }

    private void configMap(JsonNode workload, JsonNode name) {
        check(
                name.isMissingNode()
                        || manifests.find("ConfigMap", name.asText()).isPresent(),
                workload,
                "no ConfigMap " + name.asText());
    }

    private static void add(Set<String> names, JsonNode name) {
        if (!name.isMissingNode()) {
            names.add(name.asText());
        }
    }

    /** Pod Security "restricted", a file system that is read, and no token. */
    private void restricted(JsonNode workload, JsonNode pod) {
        JsonNode security = pod.path("securityContext");
        check(security.path("runAsNonRoot").asBoolean(), workload, "may run as root");
        check(security.path("runAsUser").asInt() > 0, workload, "runs as root");
        check(
                security.at("/seccompProfile/type").asText().equals("RuntimeDefault"),
                workload,
                "has no seccomp profile");
        check(
                pod.has("automountServiceAccountToken")
                        && !pod.path("automountServiceAccountToken").asBoolean(),
                workload,
                "gets a token for Kubernetes' API");
        for (String shared : List.of("hostNetwork", "hostPID", "hostIPC")) {
            check(!pod.path(shared).asBoolean(), workload, shared);
        }
        items(pod.path("volumes"))
                .forEach(volume -> check(
                        volume.has("emptyDir")
                                || volume.has("secret")
                                || volume.has("configMap")
                                || volume.has("projected")
                                || volume.has("persistentVolumeClaim"),
                        workload,
                        "volume of a forbidden type: " + volume));
        items(pod.path("containers")).forEach(container -> {
            JsonNode own = container.path("securityContext");
            check(
                    own.has("allowPrivilegeEscalation")
                            && !own.path("allowPrivilegeEscalation").asBoolean(),
                    workload,
                    "allows privilege escalation");
            check(!own.path("privileged").asBoolean(), workload, "is privileged");
            check(
                    items(own.at("/capabilities/drop"))
                                    .anyMatch(dropped -> dropped.asText().equals("ALL"))
                            && own.at("/capabilities/add").isMissingNode(),
                    workload,
                    "has capabilities");
            check(own.path("readOnlyRootFilesystem").asBoolean(), workload, "can write its root file system");
            items(container.path("ports"))
                    .forEach(port -> check(!port.has("hostPort"), workload, "takes a port of its node"));
        });
    }

    private void environment(JsonNode workload, JsonNode container) {
        Set<String> before = new HashSet<>();
        items(container.path("env")).forEach(variable -> {
            Matcher reference = REFERENCE.matcher(variable.path("value").asText());
            while (reference.find()) {
                check(
                        before.contains(reference.group(1)),
                        workload,
                        variable.path("name").asText() + " names " + reference.group()
                                + ", which does not stand above it");
            }
            check(
                    before.add(variable.path("name").asText()),
                    workload,
                    variable.path("name").asText() + " is set twice");
        });
    }

    private void mounts(JsonNode workload, JsonNode pod, JsonNode container) {
        Set<String> volumes = new HashSet<>();
        items(pod.path("volumes"))
                .forEach(volume -> volumes.add(volume.path("name").asText()));
        items(workload.at("/spec/volumeClaimTemplates"))
                .forEach(claim -> volumes.add(claim.at("/metadata/name").asText()));
        Set<String> mounted = new HashSet<>();
        Set<String> writable = new HashSet<>();
        items(container.path("volumeMounts")).forEach(mount -> {
            mounted.add(mount.path("name").asText());
            if (!mount.path("readOnly").asBoolean()) {
                writable.add(mount.path("mountPath").asText());
            }
            check(
                    volumes.contains(mount.path("name").asText()),
                    workload,
                    "a mount without a volume: " + mount.path("name").asText());
        });
        volumes.removeAll(mounted);
        check(volumes.isEmpty(), workload, "volumes that are not mounted: " + volumes);
        check(writable.contains("/tmp"), workload, "/tmp cannot be written");
        String folder = variable(container, "KAFKA_STREAMS_STATE_DIR").orElse(STATE_FOLDER);
        check(
                writable.contains(folder)
                        || variable(container, "STOCKSTATS_STORE").equals(Optional.of("in-memory")),
                workload,
                "the state directory " + folder + " is on no volume");
    }

    private static Optional<String> variable(JsonNode container, String name) {
        return items(container.path("env"))
                .filter(variable -> variable.path("name").asText().equals(name))
                .map(variable -> variable.path("value").asText())
                .findFirst();
    }

    private void probes(JsonNode workload, JsonNode container) {
        Map<String, String> probes =
                Map.of("startupProbe", "started", "livenessProbe", "live", "readinessProbe", "ready");
        probes.forEach((probe, check) -> {
            JsonNode get = container.path(probe).path("httpGet");
            check(
                    get.path("path").asText().equals("/q/health/" + check),
                    workload,
                    probe + " asks for " + get.path("path"));
            check(
                    opens(container, get.path("port")),
                    workload,
                    probe + " asks the port " + get.path("port") + ", which is not open");
        });
        JsonNode startup = container.path("startupProbe");
        int patience = startup.path("periodSeconds").asInt()
                * startup.path("failureThreshold").asInt();
        check(patience >= PATIENCE_SECONDS, workload, "startupProbe kills after " + patience + " s");
    }

    private void memory(JsonNode workload, JsonNode container) {
        JsonNode resources = container.path("resources");
        check(resources.at("/requests").has("cpu"), workload, "asks for no CPU");
        BigDecimal limit = number(resources.at("/limits/memory"));
        check(
                limit.signum() > 0 && limit.equals(number(resources.at("/requests/memory"))),
                workload,
                "may be evicted: its memory is not what it asks for");
    }

    private static BigDecimal number(JsonNode quantity) {
        try {
            return Quantity.fromString(quantity.asText()).getNumber();
        } catch (RuntimeException e) {
            // StrictSchema says so.
            return BigDecimal.ZERO;
        }
    }

    private void statefulSet(JsonNode set) {
        check(set.at("/spec/podManagementPolicy").asText().equals("Parallel"), set, "starts its pods one by one");
        String serviceName = set.at("/spec/serviceName").asText();
        JsonNode service = manifests.find("Service", serviceName).orElse(null);
        check(service != null, set, "no Service " + serviceName);
        if (service != null) {
            check(service.at("/spec/clusterIP").asText().equals("None"), set, serviceName + " is not headless");
            check(
                    service.at("/spec/publishNotReadyAddresses").asBoolean(),
                    set,
                    serviceName + " does not know pods that are not ready");
            check(
                    matches(service.at("/spec/selector"), strings(set.at("/spec/template/metadata/labels"))),
                    set,
                    serviceName + " does not select its pods");
            items(set.at("/spec/template/spec/containers/0/env"))
                    .filter(variable ->
                            variable.path("name").asText().equals("QUARKUS_KAFKA_STREAMS_APPLICATION_SERVER"))
                    .map(variable -> variable.path("value").asText())
                    .forEach(address -> check(
                            address.equals("$(STOCKSTATS_INSTANCE_NAME)." + serviceName + ":"
                                    + service.at("/spec/ports/0/port").asInt()),
                            set,
                            "instances are not reached at " + address));
        }
    }

    // ---- what selects pods ----

    private void service(JsonNode service) {
        List<JsonNode> selected = podsOf(service.at("/spec/selector"));
        check(!selected.isEmpty(), service, "selects no pods");
        selected.forEach(workload -> items(service.at("/spec/ports"))
                .forEach(port -> check(
                        opens(workload.at("/spec/template/spec/containers/0"), port.path("targetPort")),
                        service,
                        "the port " + port.path("targetPort") + " is not open in " + name(workload))));
    }

    private void disruptionBudget(JsonNode budget) {
        check(
                !podsOf(budget.at("/spec/selector/matchLabels")).isEmpty(),
                budget,
                "selects no pods: " + budget.at("/spec/selector"));
        check(budget.at("/spec/maxUnavailable").asInt() == 1, budget, "lets an owner and its copy go at once");
    }

    private void networkPolicy(JsonNode policy) {
        List<JsonNode> selected = podsOf(policy.at("/spec/podSelector/matchLabels"));
        check(!selected.isEmpty(), policy, "selects no pods");
        selected.forEach(workload -> {
            JsonNode container = workload.at("/spec/template/spec/containers/0");
            items(policy.at("/spec/ingress"))
                    .flatMap(rule -> items(rule.path("ports")))
                    .forEach(port -> check(
                            opens(container, port.path("port")),
                            policy,
                            "lets nobody in: the port " + port.path("port") + " is not open"));
        });
        Set<Integer> ports = new HashSet<>();
        items(policy.at("/spec/egress"))
                .flatMap(rule -> items(rule.path("ports")))
                .forEach(port -> {
                    int last = port.path("endPort").asInt(port.path("port").asInt());
                    for (int number = port.path("port").asInt(); number <= last; number++) {
                        ports.add(number);
                    }
                });
        check(ports.contains(53), policy, "lets nobody ask for names");
        manifests.all("ConfigMap").forEach(settings -> {
            String[] server =
                    settings.at("/data/KAFKA_BOOTSTRAP_SERVERS").asText().split(":", 2);
            check(
                    server.length < 2 || ports.contains(Integer.valueOf(server[1])),
                    policy,
                    "lets nobody reach Kafka at " + String.join(":", server));
        });
    }

    private void serviceMonitor(JsonNode monitor) {
        List<JsonNode> services = manifests
                .all("Service")
                .filter(service -> selects(monitor.at("/spec/selector"), strings(service.at("/metadata/labels"))))
                .toList();
        check(services.size() == 1, monitor, "selects " + services.size() + " services, and each pod as often");
        items(monitor.at("/spec/endpoints"))
                .forEach(endpoint -> check(
                        services.stream()
                                .allMatch(service -> items(service.at("/spec/ports"))
                                        .anyMatch(port -> port.path("name").equals(endpoint.path("port")))),
                        monitor,
                        "its service has no port " + endpoint.path("port")));
    }

    // ---- Kafka ----

    private void scaledObject(JsonNode scaled) {
        JsonNode target = scaled.at("/spec/scaleTargetRef");
        JsonNode workload = manifests
                .find(target.path("kind").asText(), target.path("name").asText())
                .orElse(null);
        check(workload != null, scaled, "scales nothing: " + target);
        check(
                workload == null || workload.at("/spec/replicas").isMissingNode(),
                scaled,
                "fights the replicas of " + target.path("name").asText());
        items(scaled.at("/spec/triggers")).forEach(trigger -> {
            String topic = trigger.at("/metadata/topic").asText();
            int partitions = manifests
                    .find("KafkaTopic", topic)
                    .map(found -> found.at("/spec/partitions").asInt())
                    .orElse(0);
            check(
                    scaled.at("/spec/maxReplicaCount").asInt() == partitions,
                    scaled,
                    "more instances than partitions of " + topic + ", or fewer");
            String authentication = trigger.at("/authenticationRef/name").asText();
            check(
                    manifests.find("TriggerAuthentication", authentication).isPresent(),
                    scaled,
                    "no TriggerAuthentication " + authentication);
            String server = trigger.at("/metadata/bootstrapServers").asText();
            check(server.matches("[^.:]+\\.[^.:]+\\.svc:\\d+"), scaled, "KEDA, elsewhere, cannot find " + server);
            bootstrap(scaled, server.replaceFirst("\\.[^.:]+\\.svc:", ":"));
        });
    }

    private void kafkaTopic(JsonNode topic) {
        String cluster = topic.at("/metadata/labels").path("strimzi.io/cluster").asText();
        check(manifests.find("Kafka", cluster).isPresent(), topic, "no Kafka " + cluster);
        check(
                topic.at("/spec/replicas").asInt() == 3
                        && topic.at("/spec/config/min.insync.replicas").asInt() == 2,
                topic,
                "loses records with a broker");
    }

    private void bootstrapServers(JsonNode settings) {
        bootstrap(settings, settings.at("/data/KAFKA_BOOTSTRAP_SERVERS").asText());
    }

    /** The service that Strimzi makes for a cluster, and the port of one of its listeners. */
    private void bootstrap(JsonNode resource, String server) {
        check(
                manifests
                        .all("Kafka")
                        .anyMatch(kafka -> items(kafka.at("/spec/kafka/listeners"))
                                .anyMatch(listener ->
                                        server.equals(kafka.at("/metadata/name").asText() + "-kafka-bootstrap:"
                                                + listener.path("port").asInt()))),
                resource,
                "nobody listens at " + server);
    }

    // ---- matching ----

    private List<JsonNode> podsOf(JsonNode labels) {
        return manifests
                .workloads()
                .filter(workload -> matches(labels, strings(workload.at("/spec/template/metadata/labels"))))
                .toList();
    }

    private static boolean selects(JsonNode selector, Map<String, String> labels) {
        return selector.size() == 1 && matches(selector.path("matchLabels"), labels);
    }

    private static boolean matches(JsonNode wanted, Map<String, String> labels) {
        return !wanted.isEmpty()
                && labels.entrySet().containsAll(strings(wanted).entrySet());
    }

    private static boolean opens(JsonNode container, JsonNode port) {
        return items(container.path("ports"))
                .anyMatch(open -> port.isTextual()
                        ? open.path("name").equals(port)
                        : open.path("containerPort").asInt() == port.asInt());
    }
}
