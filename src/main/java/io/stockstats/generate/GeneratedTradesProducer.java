package io.stockstats.generate;

import io.smallrye.reactive.messaging.ClientCustomizer;
import jakarta.inject.Singleton;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.eclipse.microprofile.config.Config;

/**
 * Lets the producer of the generated trades repeat without end.
 *
 * <p>{@code retries} names two things on a channel: how often the channel sends a failed record again, each on its own and
 * so out of order, and how often the producer does, in order. The channel is to do none of it
 * ({@code retries=0} in application.properties), the producer all.
 */
@Singleton
final class GeneratedTradesProducer implements ClientCustomizer<Map<String, Object>> {

    @Override
    public Map<String, Object> customize(String channel, Config channelConfig, Map<String, Object> client) {
        if (channel.equals(KafkaOutlet.CHANNEL)) {
            client.put(ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE));
        }
        return client;
    }
}
