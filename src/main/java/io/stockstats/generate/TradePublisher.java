package io.stockstats.generate;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.stockstats.wire.TopicsConfig;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Publishes generated trades from start to shutdown, where {@code stockstats.generator.enabled} is set. */
@Singleton
final class TradePublisher {

    private static final Logger LOG = Logger.getLogger(TradePublisher.class);

    private static final Duration PATIENCE_WITH_THREAD = Duration.ofMillis(500);
    private static final Duration PATIENCE_WITH_BROKER = Duration.ofMillis(500);

    private final GeneratorConfig config;
    private final KafkaOutlet outlet;
    private final String topic;
    private final MeterRegistry metrics;

    private @Nullable TradePump pump;
    private @Nullable Thread thread;

    TradePublisher(GeneratorConfig config, KafkaOutlet outlet, TopicsConfig topics, MeterRegistry metrics) {
        this.config = config;
        this.outlet = outlet;
        this.topic = topics.trades();
        this.metrics = metrics;
    }

    // First, so that nothing has begun when a configuration is refused.
    void check(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event) {
        GeneratorConfigCheck.check(config);
    }

    // Last, so that whatever makes ready for trades (topics, the stream) comes first.
    synchronized void onStart(@Observes @Priority(Interceptor.Priority.LIBRARY_AFTER) StartupEvent event) {
        if (!config.enabled()) {
            return;
        }
        long seed = config.seed().orElseGet(() -> new SecureRandom().nextLong());
        Counter acknowledged = Counter.builder("stockstats.generator.trades")
                .description("Generated records, bad ones included, that the broker has acknowledged")
                .register(metrics);
        pump = new TradePump(
                new TradeGenerator(config, seed),
                config.rate(),
                Clock.systemUTC(),
                outlet,
                topic,
                acknowledged::increment);
        thread = new Thread(pump, "stockstats-generator");
        thread.setDaemon(true);
        LOG.infof(
                "Generating %s trades/s for %d tickers (%s) to topic %s, seed %d",
                rate(config.rate()), config.tickers().size(), String.join(" ", config.tickers()), topic, seed);
        thread.start();
    }

    // First, so that what reads the trades can still take those in flight.
    synchronized void onStop(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) ShutdownEvent event) {
        if (pump == null || thread == null) {
            return;
        }
        pump.stop();
        thread.interrupt();
        int left;
        try {
            thread.join(PATIENCE_WITH_THREAD.toMillis());
            left = pump.drain(PATIENCE_WITH_BROKER);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            left = pump.inFlight();
        }
        if (left > 0) {
            outlet.abandon();
            LOG.infof("The trade generator has stopped; %d trades that the broker has not acknowledged are lost", left);
        }
        pump = null;
        thread = null;
    }

    /** How many trades are sent and not acknowledged yet; 0 when nothing is generated. */
    synchronized int inFlight() {
        return pump == null ? 0 : pump.inFlight();
    }

    private static String rate(double rate) {
        return rate == Math.rint(rate) ? Long.toString((long) rate) : Double.toString(rate);
    }
}
