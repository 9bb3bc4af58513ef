package io.stockstats.it;

import static io.stockstats.kubernetes.Manifests.items;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.stockstats.kubernetes.Manifests;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The settings of the manifests' config map, and the rights that they give to the Kafka user, against a broker that
 * takes nobody else: TLS with certificates on both sides, and everything forbidden that is not allowed.
 */
class SecuredKafkaIT {

    private static final Manifests MANIFESTS = Manifests.of(
            Path.of("target", "kubernetes", "kubernetes.yml"), Path.of("target", "kubernetes", "strimzi.yml"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The names are those of the manifests. */
    private static final Topics TOPICS = new Topics("stocks", "stockstats-output", "stocks-rejected", "stockstats");

    @RegisterExtension
    static final Bench BENCH = Bench.withoutBroker();

    @TempDir
    private Path folder;

    private int tlsPort;

    @ParameterizedTest(name = "{0}, rekey={1}")
    @CsvSource({"at-least-once, false", "exactly-once, true"})
    void theManifestsUserMayDoWhatTheServiceDoes(String processing, String more)
            throws IOException, InterruptedException, GeneralSecurityException {
        // Given a user who may do nothing yet
        startBroker("ip:127.0.0.1");
        createTopics();
        Instance instance = secured()
                .with("stockstats.trades.rekey", more)
                .with("stockstats.top.enabled", more)
                .environment(Map.of("STOCKSTATS_PROCESSING", processing))
                .start()
                .awaitServing();
        await().atMost(PATIENCE)
                .until(() -> !instance.readyData("missingTopics").isEmpty());

        // When
        BENCH.admin(admin -> admin.createAcls(acls()).all().get(30, TimeUnit.SECONDS));

        // Then
        instance.awaitReady();
        try (TopicClient client = new TopicClient(BENCH.broker(), TOPICS)) {
            long at = System.currentTimeMillis();
            client.send(0, Sale.of("MMM", "10.25", 3, at));
            client.send(new ProducerRecord<>(TOPICS.trades(), 0, "MMM".getBytes(), "no trade".getBytes()));
            client.flush();
            instance.awaitAnswer(
                    "/stats/MMM",
                    () -> assertEquals(
                            1, instance.get("/stats/MMM").as(WindowJson.class).countTrades()));
            await().atMost(PATIENCE)
                    .until(() -> !client.records(TOPICS.output()).isEmpty());
            await().atMost(PATIENCE)
                    .until(() -> client.records(TOPICS.rejected()).size() == 1);
        }
        assertTrue(!instance.log().contains("TopicAuthorizationException"), instance::log);
        assertEquals(0, instance.terminate(Duration.ofSeconds(30)));
    }

    @Test
    void theManifestsUserMayGenerateTrades() throws IOException, InterruptedException, GeneralSecurityException {
        // Given
        startBroker("ip:127.0.0.1");
        createTopics();
        BENCH.admin(admin -> admin.createAcls(acls()).all().get(30, TimeUnit.SECONDS));

        // When
        secured()
                .with("stockstats.stream.enabled", "false")
                .with("stockstats.generator.enabled", "true")
                .start();

        // Then
        await().atMost(PATIENCE).until(() -> BENCH.endOffsets(TOPICS.trades()) > 10);
    }

    @Test
    void aBrokerWhoseCertificateIsForAnotherNameIsRefused()
            throws IOException, InterruptedException, GeneralSecurityException {
        // Given
        startBroker("dns:somebody.example");

        // When
        Instance instance = secured().start().awaitServing();

        // Then: by the stream's clients, whose settings are Quarkus's, and by the service's own
        for (String client : List.of("StreamThread-1-producer", "topics-watch")) {
            await(client)
                    .atMost(PATIENCE)
                    .until(() -> instance.log()
                            .lines()
                            .anyMatch(line -> line.contains(client) && line.contains("failed authentication")));
        }
        await().atMost(PATIENCE).until(() -> instance.log().contains("No subject alternative names"));
        assertEquals("the broker", instance.readyData("waitingFor"));
    }

    private Instance.Builder secured() {
        Map<String, String> settings = new HashMap<>(
                Manifests.strings(MANIFESTS.get("ConfigMap", "stockstats").path("data")));
        settings.replaceAll((name, value) -> value.replace("/etc/stockstats/kafka-ca", folder.toString())
                .replace("/etc/stockstats/kafka-user", folder.toString()));
        settings.put("KAFKA_SSL_KEYSTORE_PASSWORD", Certificates.PASSWORD);
        settings.put("KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + tlsPort);
        return BENCH.instance(TOPICS, tlsPort).environment(settings);
    }

    private void startBroker(String certifiedName) throws IOException, InterruptedException, GeneralSecurityException {
        String user = MANIFESTS
                .all("KafkaUser")
                .map(found -> found.at("/metadata/name").asText())
                .collect(Collectors.joining());
        Certificates certificates = Certificates.in(folder, certifiedName, user);
        tlsPort = Bench.freePort();
        int plainPort = Bench.freePort();
        int controllerPort = Bench.freePort();
        Map<String, String> properties = new HashMap<>(certificates.brokerProperties());
        String listeners = "PLAINTEXT://127.0.0.1:" + plainPort + ",SSL://127.0.0.1:" + tlsPort;
        properties.put("listeners", listeners + ",CONTROLLER://127.0.0.1:" + controllerPort);
        properties.put("advertised.listeners", listeners);
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,SSL:SSL,CONTROLLER:PLAINTEXT");
        properties.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        // The broker itself, and the test.
        properties.put("super.users", "User:ANONYMOUS");
        BENCH.startBroker(plainPort, properties);
    }

    private void createTopics() {
        BENCH.create(MANIFESTS
                .all("KafkaTopic")
                .map(topic -> new NewTopic(
                        topic.at("/metadata/name").asText(),
                        topic.at("/spec/partitions").asInt(),
                        (short) 1))
                .toArray(NewTopic[]::new));
    }

    /** The manifest's rights, as the user operator gives them. */
    private static List<AclBinding> acls() {
        return MANIFESTS
                .all("KafkaUser")
                .flatMap(user -> items(user.at("/spec/authorization/acls"))
                        .flatMap(acl -> items(acl.path("operations"))
                                .map(operation -> binding(
                                        "User:CN=" + user.at("/metadata/name").asText(),
                                        acl.path("resource"),
                                        operation.asText()))))
                .toList();
    }

    private static AclBinding binding(String principal, JsonNode resource, String operation) {
        ResourceType type = switch (resource.path("type").asText()) {
            case "topic" -> ResourceType.TOPIC;
            case "group" -> ResourceType.GROUP;
            case "transactionalId" -> ResourceType.TRANSACTIONAL_ID;
            default -> throw new AssertionError(resource);
        };
        PatternType pattern =
                resource.path("patternType").asText().equals("prefix") ? PatternType.PREFIXED : PatternType.LITERAL;
        AclOperation allowed = AclOperation.valueOf(
                operation.replaceAll("(?<=.)([A-Z])", "_$1").toUpperCase(java.util.Locale.ROOT));
        return new AclBinding(
                new ResourcePattern(type, resource.path("name").asText(), pattern),
                new AccessControlEntry(principal, "*", allowed, AclPermissionType.ALLOW));
    }
}
