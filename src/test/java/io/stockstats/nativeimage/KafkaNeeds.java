package io.stockstats.nativeimage;

import static java.util.stream.Collectors.toCollection;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.ReferencedClassObject;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.security.auth.spi.LoginModule;
import javax.security.sasl.SaslClientFactory;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.network.SaslChannelBuilder;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.Login;
import org.apache.kafka.common.security.authenticator.LoginManager;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/** The classes that Kafka's clients make because the configuration names them, or because nothing does. */
final class KafkaNeeds {

    private static final String PREFIX = "kafka-streams.";

    /** Of OAUTHBEARER, which needs a library for tokens that is in no package, also where Java runs. */
    private static final String WITHOUT_ITS_LIBRARY =
            "org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator";

    private KafkaNeeds() {}

    /** Those of these properties, packaged. */
    static Set<Need> of(Path properties) throws IOException {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withProfile("prod")
                .withSources(new PropertiesConfigSource(properties.toUri().toURL(), 100))
                .withDefaultValue("java.io.tmpdir", "/tmp")
                .withDefaultValue("quarkus.http.port", "8080")
                .build();
        Map<String, Object> settings = new HashMap<>();
        Set<String> names = new TreeSet<>();
        for (String name : config.getPropertyNames()) {
            String value = config.getRawValue(name) == null
                    ? ""
                    : config.getOptionalValue(name, String.class).orElse("");
            if (name.startsWith(PREFIX) && !value.isEmpty()) {
                settings.put(name.substring(PREFIX.length()), value);
            }
            classes(value).forEach(names::add);
        }
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "any");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:9092");
        StreamsConfig streams = new StreamsConfig(settings);
        consumer(streams.getMainConsumerConfigs("any", "any", 0)).forEach(names::add);
        consumer(streams.getRestoreConsumerConfigs("any")).forEach(names::add);
        consumer(streams.getGlobalConsumerConfigs("any")).forEach(names::add);
        Map<String, Object> producer = streams.getProducerConfigs("any");
        producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        classes(new ProducerConfig(producer)).forEach(names::add);
        classes(new AdminClientConfig(streams.getAdminConfigs("any"))).forEach(names::add);
        classes(streams).forEach(names::add);
        names.remove(WITHOUT_ITS_LIBRARY);
        return names.stream().map(Need::instance).collect(toCollection(TreeSet::new));
    }

    private static Stream<String> consumer(Map<String, Object> settings) {
        Map<String, Object> complete = new HashMap<>(settings);
        complete.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        complete.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        return classes(new ConsumerConfig(complete));
    }

    private static Stream<String> classes(AbstractConfig config) {
        return config.values().values().stream().flatMap(KafkaNeeds::classes);
    }

    private static Stream<String> classes(Object value) {
        if (value instanceof Class<?> type) {
            return type.isInterface() || type.isEnum() ? Stream.empty() : Stream.of(type.getName());
        }
        if (value instanceof Collection<?> values) {
            return values.stream().flatMap(KafkaNeeds::classes);
        }
        return value instanceof String text && text.matches("([a-z]\\w*\\.)+[A-Z][\\w$]*")
                ? named(text)
                : Stream.empty();
    }

    private static Stream<String> named(String text) {
        try {
            return classes(Class.forName(text, false, KafkaNeeds.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return Stream.empty();
        }
    }

    /** What signs on to a broker by SASL, whichever mechanism the settings name; Quarkus refuses Kerberos. */
    static Set<Need> sasl() {
        JavaClasses security = new ClassFileImporter().importPackages("org.apache.kafka.common.security");
        JavaClasses doors = new ClassFileImporter().importClasses(SaslChannelBuilder.class, LoginManager.class);
        return Stream.concat(
                        security.stream()
                                .filter(type -> type.isAssignableTo(LoginModule.class)
                                        || type.isAssignableTo(SaslClientFactory.class)),
                        StreamSupport.stream(doors.spliterator(), false)
                                .flatMap(type -> type.getReferencedClassObjects().stream())
                                .map(ReferencedClassObject::getRawType)
                                .filter(type -> type.isAssignableTo(Login.class)
                                        || type.isAssignableTo(AuthenticateCallbackHandler.class)))
                .filter(type -> !type.isInterface() && !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .map(JavaClass::getName)
                .filter(name -> !name.contains("Kerberos") && !name.contains("Server"))
                .map(Need::instance)
                .collect(toCollection(TreeSet::new));
    }
}
