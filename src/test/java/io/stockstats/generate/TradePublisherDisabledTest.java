package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.stockstats.dev.EmbeddedKafka;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(EmbeddedKafka.class)
class TradePublisherDisabledTest {

    @Inject
    KafkaClientService clients;

    @Test
    void withoutBeingEnabledThereIsNeitherAProducerNorAThread() {
        // Given an application that has started with the defaults

        // Then the channel is there, but nothing behind it
        assertTrue(clients.getProducerChannels().contains(KafkaOutlet.CHANNEL));
        assertNull(clients.getProducer(KafkaOutlet.CHANNEL).unwrap());
        List<String> threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.contains("stockstats-generator") || name.startsWith("smallrye-kafka-producer"))
                .toList();
        assertEquals(List.of(), threads);
    }
}
