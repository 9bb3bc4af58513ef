package io.stockstats.ops;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.stockstats.store.CopyLags;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.apache.kafka.streams.KafkaStreams;

/** Looks every second how far this instance's copies are behind; in a thread of its own, since brokers may be away. */
@Singleton
final class LagsWatch {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final KafkaStreams streams;
    private final CopyLags lags;
    private final Thread thread = new Thread(this::run, "lags-watch");

    LagsWatch(KafkaStreams streams, CopyLags lags) {
        this.streams = streams;
        this.lags = lags;
        thread.setDaemon(true);
    }

    void start(@Observes StartupEvent event) {
        thread.start();
    }

    void stop(@Observes ShutdownEvent event) {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!Thread.interrupted()) {
                lags.refresh(streams);
                Thread.sleep(EVERY.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
