package io.stockstats.generate;

import io.smallrye.reactive.messaging.kafka.KafkaClientService;
import io.smallrye.reactive.messaging.kafka.Record;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Emitter;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.OnOverflow;
import org.jspecify.annotations.Nullable;

/**
 * The reactive-messaging channel {@value #CHANNEL}.
 *
 * <p>Its producer is set (application.properties, {@link GeneratedTradesProducer}) to keep a trade until the broker has
 * it: it waits for a missing topic or a broker that is away and repeats by itself, in order. So only what waiting does not
 * mend is refused, such as a record that the topic does not take, or a missing permission.
 */
@Singleton
final class KafkaOutlet implements Outlet {

    static final String CHANNEL = "generated-trades";

    // More than a pump has in flight, so it never overflows.
    private static final int BUFFER = 40_000;

    private final Provider<Emitter<Record<byte[], byte[]>>> emitter;
    private final KafkaClientService clients;

    KafkaOutlet(
            @Channel(CHANNEL) @OnOverflow(value = OnOverflow.Strategy.BUFFER, bufferSize = BUFFER)
                    Provider<Emitter<Record<byte[], byte[]>>> emitter,
            KafkaClientService clients) {
        this.emitter = emitter;
        this.clients = clients;
    }

    /** Creates the producer, whose addresses may not resolve yet; on the channel's own thread, as the client demands. */
    @Override
    public void open() {
        clients.<byte[], byte[]>getProducer(CHANNEL)
                .runOnSendingThread(producer -> {})
                .await()
                .indefinitely();
    }

    @Override
    public void send(GeneratedTrade trade, Runnable acknowledged, Consumer<Throwable> refused) {
        emitter.get()
                .send(Message.of(
                        Record.of(trade.key(), trade.value()),
                        () -> {
                            acknowledged.run();
                            return CompletableFuture.completedFuture(null);
                        },
                        reason -> {
                            refused.accept(reason);
                            return CompletableFuture.completedFuture(null);
                        }));
    }

    /**
     * Closes the producer under the channel, which frees the channel's thread: it may be waiting for a topic, and would
     * not hear of a shutdown until it has one.
     */
    @Override
    public void abandon() {
        @Nullable
        Producer<byte[], byte[]> producer =
                clients.<byte[], byte[]>getProducer(CHANNEL).unwrap();
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }
}
