package io.stockstats.generate;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TradePumpTest {

    private static final int RATE = 200;

    private final FakeOutlet outlet = new FakeOutlet();
    private final AtomicInteger acknowledged = new AtomicInteger();
    private final TradePump pump = new TradePump(
            new TradeGenerator(TestConfig.defaults(), 1),
            RATE,
            Clock.systemUTC(),
            outlet,
            "stocks",
            acknowledged::incrementAndGet);
    private final Thread thread = new Thread(pump);

    @AfterEach
    void stop() throws InterruptedException {
        pump.stop();
        thread.interrupt();
        thread.join();
    }

    @Test
    void theWindowIsOneSecondOfTrades() {
        assertEquals(1, TradePump.windowFor(0.1));
        assertEquals(10, TradePump.windowFor(10));
        assertEquals(20_000, TradePump.windowFor(1e6));
    }

    @Test
    void tradesFlowWhileTheyAreAcknowledged() throws InterruptedException {
        outlet.acknowledges = true;

        thread.start();

        await().until(() -> acknowledged.get() > 2 * RATE);
        stop();
        assertEquals(0, pump.inFlight());
    }

    @Test
    void noMoreThanTheWindowIsInFlight() {
        // Given an outlet that acknowledges nothing
        thread.start();
        await().until(() -> outlet.waiting() == RATE);
        await().during(Duration.ofMillis(200)).until(() -> outlet.waiting() == RATE);

        // When one trade is acknowledged
        outlet.acknowledgeOldest();

        // Then one more is made
        await().until(() -> outlet.sent().size() == RATE + 1);
        await().during(Duration.ofMillis(200)).until(() -> outlet.waiting() == RATE);
        assertEquals(1, acknowledged.get());
    }

    @Test
    void refusedTradesAreSentAgainOldestFirstBeforeAnyOther() {
        // Given three trades in flight
        thread.start();
        await().until(() -> outlet.waiting() >= 3);

        // When the second and the first are refused, and the others acknowledged
        String first = outlet.sent().get(0);
        String second = outlet.sent().get(1);
        outlet.refuse(1);
        outlet.refuse(0);
        await().until(() -> pump.inFlight() == outlet.waiting());
        int sentBefore = outlet.sent().size();
        outlet.acknowledges = true;
        while (outlet.waiting() > 0) {
            outlet.acknowledgeOldest();
        }

        // Then the same two come next
        await().until(() -> outlet.sent().size() > sentBefore + 2);
        assertEquals(List.of(first, second), outlet.sent().subList(sentBefore, sentBefore + 2));
        await().until(() -> acknowledged.get() >= sentBefore);
    }

    @Test
    void whileOneIsRefusedNoOtherIsSent() {
        // Given an outlet that refuses everything
        outlet.refuses = true;

        // When
        thread.start();

        // Then the same trade is sent again and again
        await().until(() -> outlet.sent().size() >= 4);
        assertEquals(1, outlet.sent().stream().distinct().count());

        // When it works again, then nothing is missing
        outlet.acknowledges = true;
        outlet.refuses = false;
        await().until(() -> acknowledged.get() >= 10);
        TradeGenerator same = new TradeGenerator(TestConfig.defaults(), 1);
        List<String> distinct = outlet.sent().stream().distinct().toList();
        for (int i = 0; i < 10; i++) {
            String expected = text(same.next(Clock.systemUTC().instant()));
            assertEquals(withoutTime(expected), withoutTime(distinct.get(i)));
        }
    }

    @Test
    void anOutletThatThrowsRefuses() throws InterruptedException {
        outlet.throwsUp = true;
        thread.start();
        await().until(() -> outlet.sent().size() >= 2);

        outlet.acknowledges = true;
        outlet.throwsUp = false;

        await().until(() -> acknowledged.get() >= 10);
        stop();
        assertEquals(acknowledged.get(), outlet.sent().stream().distinct().count());
    }

    @Test
    void triesAgainWhenTheOutletDoesNotOpen() {
        outlet.opensAtAttempt = 3;
        outlet.acknowledges = true;

        thread.start();

        await().until(() -> acknowledged.get() > 0);
        assertEquals(3, outlet.attempts.get());
    }

    @Test
    void stopsAtOnceThoughNothingIsAcknowledged() throws InterruptedException {
        thread.start();
        await().until(() -> outlet.waiting() >= 3);

        pump.stop();
        thread.join(1_000);

        assertTrue(!thread.isAlive());
        int left = pump.drain(Duration.ofMillis(50));
        assertEquals(outlet.waiting(), left);
    }

    @Test
    void stoppingWaitsForWhatIsInFlight() throws InterruptedException {
        thread.start();
        await().until(() -> outlet.waiting() >= 3);
        pump.stop();
        thread.join();

        Thread broker = new Thread(() -> {
            while (outlet.waiting() > 0) {
                outlet.acknowledgeOldest();
            }
        });
        broker.start();

        assertEquals(0, pump.drain(Duration.ofSeconds(10)));
        broker.join();
    }

    private static String text(GeneratedTrade trade) {
        return new String(Objects.requireNonNull(trade.value()), StandardCharsets.UTF_8);
    }

    private static String withoutTime(String json) {
        return json.substring(0, json.indexOf(",\"timestamp\""));
    }

    private static final class FakeOutlet implements Outlet {
        private final List<String> sent = new ArrayList<>();
        private final Deque<Runnable> acknowledgements = new ArrayDeque<>();
        private final List<Consumer<Throwable>> refusals = new ArrayList<>();
        private final AtomicInteger attempts = new AtomicInteger();
        private int opensAtAttempt = 1;
        private volatile boolean acknowledges;
        private volatile boolean refuses;
        private volatile boolean throwsUp;

        @Override
        public void open() {
            if (attempts.incrementAndGet() < opensAtAttempt) {
                throw new IllegalStateException("not yet");
            }
        }

        @Override
        public void send(GeneratedTrade trade, Runnable acknowledged, Consumer<Throwable> refused) {
            synchronized (this) {
                sent.add(text(trade));
                if (throwsUp) {
                    throw new IllegalStateException("closed");
                }
                if (!acknowledges && !refuses) {
                    acknowledgements.add(acknowledged);
                    refusals.add(refused);
                }
            }
            if (refuses) {
                refused.accept(new IllegalArgumentException("not this one"));
            } else if (acknowledges) {
                acknowledged.run();
            }
        }

        @Override
        public void abandon() {
            throw new AssertionError("only the publisher abandons");
        }

        synchronized List<String> sent() {
            return List.copyOf(sent);
        }

        synchronized int waiting() {
            return acknowledgements.size();
        }

        void acknowledgeOldest() {
            take(0).run();
        }

        void refuse(int index) {
            Consumer<Throwable> refused;
            synchronized (this) {
                refused = refusals.get(index);
            }
            take(index);
            refused.accept(new IllegalArgumentException("not this one"));
        }

        private synchronized Runnable take(int index) {
            List<Runnable> all = new ArrayList<>(acknowledgements);
            Runnable taken = all.remove(index);
            acknowledgements.clear();
            acknowledgements.addAll(all);
            refusals.remove(index);
            return taken;
        }
    }
}
