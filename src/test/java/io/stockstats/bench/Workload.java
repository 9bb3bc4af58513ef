package io.stockstats.bench;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Trades that are the same at every run, but for the day: the last lies a minute before the bench began.
 *
 * @param name how the topic and the table call it
 * @param tickers how many tickers there are
 * @param perSecond trades for each second of event time
 * @param trades how many trades
 * @param zipf whether tickers are drawn by Zipf's law (exponent 1) instead of evenly
 */
public record Workload(String name, int tickers, int perSecond, int trades, boolean zipf) {

    private static final long SEED = 20_261_130;

    String topic() {
        return "trades-" + name;
    }

    /** The ticker of this number; the key too. */
    static String ticker(int number) {
        return "T" + number;
    }

    /** Writes all trades, each with its event time in the value and as the record's timestamp. */
    void produce(String bootstrapServers, long lastEventTime) {
        produce(bootstrapServers, topic(), lastEventTime, Integer.MAX_VALUE);
    }

    /** The same to another topic, at most so many a second. */
    public void produce(String bootstrapServers, String topic, long lastEventTime, int pace) {
        long began = System.nanoTime();
        Random random = new Random(SEED);
        double[] cumulated = zipf ? zipf(tickers) : new double[0];
        AtomicReference<Exception> failed = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "batch.size", 131_072, "linger.ms", 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < trades; i++) {
                while (i > (System.nanoTime() - began) / 1e9 * pace) {
                    LockSupport.parkNanos(1_000_000);
                }
                String ticker = ticker(zipf ? drawn(cumulated, random) : random.nextInt(tickers));
                long time = lastEventTime - (trades - 1L - i) * 1_000 / perSecond;
                String json = String.format(
                        Locale.ROOT,
                        "{\"type\":\"%s\",\"ticker\":\"%s\",\"price\":%d.%02d,\"size\":%d,\"timestamp\":%d}",
                        random.nextBoolean() ? "ASK" : "BID",
                        ticker,
                        90 + random.nextInt(20),
                        random.nextInt(100),
                        1 + random.nextInt(100),
                        time);
                producer.send(
                        new ProducerRecord<>(
                                topic,
                                null,
                                time,
                                ticker.getBytes(StandardCharsets.UTF_8),
                                json.getBytes(StandardCharsets.UTF_8)),
                        (metadata, failure) -> {
                            if (failure != null) {
                                failed.compareAndSet(null, failure);
                            }
                        });
            }
        }
        if (failed.get() != null) {
            throw new IllegalStateException("not all trades could be produced", failed.get());
        }
    }

    private static double[] zipf(int tickers) {
        double[] cumulated = new double[tickers];
        double sum = 0;
        for (int i = 0; i < tickers; i++) {
            sum += 1.0 / (i + 1);
            cumulated[i] = sum;
        }
        return cumulated;
    }

    private static int drawn(double[] cumulated, Random random) {
        int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[cumulated.length - 1]);
        return found < 0 ? -found - 1 : found;
    }
}
