package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Two hundred trades a second, out of order within the grace; five seconds of event time in one of the wall clock's. */
final class Flow {

    private static final long DAY = 1_760_000_000_000L;

    private final TopicClient client;
    private final Ledger ledger;
    private final List<String> tickers;
    private final int partitions;
    private final Random random;
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<Future<RecordMetadata>> last = new AtomicReference<>();
    private long sent;

    /** The ticker at {@code i} goes to partition {@code i % partitions}, which is no partitioner's choice. */
    Flow(TopicClient client, Ledger ledger, List<String> tickers, int partitions, long seed) {
        this.client = client;
        this.ledger = ledger;
        this.tickers = tickers;
        this.partitions = partitions;
        this.random = new Random(seed);
        pace.scheduleAtFixedRate(this::send, 0, 5, TimeUnit.MILLISECONDS);
    }

    private void send() {
        int ticker = random.nextInt(tickers.size());
        Sale sale = new Sale(
                tickers.get(ticker),
                random.nextInt(20) == 0 ? "BID" : "ASK",
                BigDecimal.valueOf(400 + random.nextInt(200), 0).divide(BigDecimal.valueOf(4)),
                random.nextInt(100),
                DAY + 25 * sent++ + random.nextInt(3_000));
        ledger.add(sale);
        last.set(client.send(ticker % partitions, sale));
    }

    /** Ends the flow once the broker has all of it. */
    void stop() throws InterruptedException {
        pace.shutdown();
        assertTrue(pace.awaitTermination(30, TimeUnit.SECONDS));
        client.flush();
        TopicClient.acknowledged(last.get());
    }

    /** One more trade in every partition, late enough to make every window final; their tickers begin with {@code END}. */
    void end() {
        IntStream.range(0, partitions)
                .mapToObj(partition ->
                        client.send(partition, Sale.of("END" + partition, "1", 1, DAY + 25 * sent + 120_000)))
                .toList()
                .forEach(TopicClient::acknowledged);
    }
}
