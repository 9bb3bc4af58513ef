package io.stockstats.topology;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.stockstats.trade.Rejection;
import io.stockstats.trade.Skipped;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What the stream counts. Every counter exists from the start, so that a rate can be taken of the first event. */
public final class StreamCounters {

    private final Counter trades;
    private final Counter late;
    private final Counter emitted;
    private final Map<Rejection.Reason, Counter> rejected = new EnumMap<>(Rejection.Reason.class);
    private final Map<Skipped, Counter> skipped = new EnumMap<>(Skipped.class);

    public StreamCounters(MeterRegistry registry) {
        trades = Counter.builder("stockstats.trades")
                .description("Trades that were aggregated")
                .register(registry);
        late = Counter.builder("stockstats.trades.late")
                .description("Trades that came after the grace and were not aggregated")
                .register(registry);
        emitted = Counter.builder("stockstats.windows.emitted")
                .description("Windows written to the output topic, each update counted")
                .register(registry);
        for (Rejection.Reason reason : Rejection.Reason.values()) {
            rejected.put(
                    reason,
                    Counter.builder("stockstats.trades.rejected")
                            .description("Records that are not trades, by reason")
                            .tag("reason", reason.label())
                            .register(registry));
        }
        for (Skipped reason : Skipped.values()) {
            skipped.put(
                    reason,
                    Counter.builder("stockstats.trades.skipped")
                            .description("Records that do not count, by configuration or by their feed's nature")
                            .tag("reason", reason.label())
                            .register(registry));
        }
    }

    void aggregated() {
        trades.increment();
    }

    void late() {
        late.increment();
    }

    void emitted() {
        emitted.increment();
    }

    void rejected(Rejection.Reason reason) {
        Objects.requireNonNull(rejected.get(reason)).increment();
    }

    void skipped(Skipped reason) {
        Objects.requireNonNull(skipped.get(reason)).increment();
    }
}
