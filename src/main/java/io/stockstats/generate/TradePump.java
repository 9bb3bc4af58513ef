package io.stockstats.generate;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Moves trades from the generator to an outlet, paced, with a bounded number in flight (sent and not yet acknowledged).
 *
 * <p>While the outlet does not acknowledge, no trade is made: memory stays flat, and what comes afterwards carries the
 * time of then. A refused trade is sent again, the same one, until it is acknowledged. For that everything else in
 * flight is waited for first, and then refused trades go one at a time, oldest first, so none of them overtakes another.
 */
final class TradePump implements Runnable {

    private static final Logger LOG = Logger.getLogger(TradePump.class);

    /** No acknowledgement for this long, while one is due, counts as failing. */
    static final Duration STALL = Duration.ofSeconds(5);

    private static final int LARGEST_WINDOW = 20_000;
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final TradeGenerator generator;
    private final double rate;
    private final int window;
    private final Clock clock;
    private final Outlet outlet;
    private final String topic;
    private final Runnable onAcknowledged;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // All below is guarded by the lock.
    private final PriorityQueue<Flight> refused = new PriorityQueue<>(Comparator.comparingLong(Flight::number));
    private long flights;
    private int inFlight;
    private boolean waitsForFlights;
    private boolean stopping;
    private long progressAt;
    private long pauseNanos;
    private long retryAt;
    private boolean failing;
    private boolean acknowledgedSince;
    private long failingSince;
    private long retries;
    private @Nullable Throwable newRefusal;

    /**
     * @param rate trades per second
     * @param clock gives trades their event time
     * @param topic the outlet's name, for the log
     * @param onAcknowledged called for every acknowledged trade, on any thread
     */
    TradePump(
            TradeGenerator generator, double rate, Clock clock, Outlet outlet, String topic, Runnable onAcknowledged) {
        this.generator = generator;
        this.rate = rate;
        this.window = windowFor(rate);
        this.clock = clock;
        this.outlet = outlet;
        this.topic = topic;
        this.onAcknowledged = onAcknowledged;
    }

    /**
     * How many trades may be in flight: those of one second, at least 1 and at most {@value #LARGEST_WINDOW}. What waits
     * through an outage is then at most a second of the market, and not a burst of old trades.
     */
    static int windowFor(double rate) {
        return (int) Math.max(1, Math.min(LARGEST_WINDOW, Math.floor(rate)));
    }

    /** Generates until {@link #stop()} is called or the thread is interrupted. */
    @Override
    public void run() {
        try {
            openOutlet();
            Pace pace = new Pace(rate, System.nanoTime());
            for (Flight flight = nextFlight(pace); flight != null; flight = nextFlight(pace)) {
                launch(flight);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("The trade generator has stopped", e);
        }
    }

    /** Ends {@link #run()} soon: no further trade is made. */
    void stop() {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until everything in flight has been acknowledged, for as long as {@code patience}; for use after
     * {@link #stop()}.
     *
     * @return how many trades have not been acknowledged
     */
    int drain(Duration patience) throws InterruptedException {
        long left = patience.toNanos();
        lock.lock();
        try {
            waitsForFlights = true;
            while (inFlight > 0 && left > 0) {
                left = changed.awaitNanos(left);
            }
            return inFlight + refused.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many trades are in flight. */
    int inFlight() {
        lock.lock();
        try {
            return inFlight;
        } finally {
            lock.unlock();
        }
    }

    private void openOutlet() throws InterruptedException {
        while (!tryToOpen()) {
            lock.lock();
            try {
                long pause = pauseNanos;
                while (!stopping && pause > 0) {
                    pause = changed.awaitNanos(pause);
                }
                if (stopping) {
                    return;
                }
                retries++;
            } finally {
                lock.unlock();
            }
        }
    }

    // Outside the lock: opening may take long, and stopping must not wait for it.
    private boolean tryToOpen() {
        RuntimeException reason = null;
        try {
            outlet.open();
        } catch (RuntimeException e) {
            reason = e;
        }
        lock.lock();
        try {
            if (reason == null) {
                noteAcknowledged();
            } else {
                noteRefused(reason);
            }
            reportChanges(System.nanoTime());
            return reason == null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Flight nextFlight(Pace pace) throws InterruptedException {
        lock.lock();
        try {
            while (!stopping) {
                long now = System.nanoTime();
                reportChanges(now);
                waitsForFlights = !refused.isEmpty() || inFlight >= window;
                long wait;
                if (!refused.isEmpty()) {
                    wait = inFlight > 0 ? CHECK_NANOS : retryAt - now;
                    if (wait <= 0) {
                        retries++;
                        // Others may have been acknowledged since; whether sending works again, this one shows.
                        acknowledgedSince = false;
                        return begun(refused.remove(), now);
                    }
                } else if (inFlight >= window) {
                    wait = CHECK_NANOS;
                } else {
                    wait = pace.untilDue(now);
                    if (wait <= 0) {
                        pace.take(now);
                        return begun(new Flight(flights++, generator.next(clock.instant())), now);
                    }
                }
                changed.awaitNanos(Math.min(wait, CHECK_NANOS));
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private Flight begun(Flight flight, long now) {
        if (inFlight++ == 0) {
            progressAt = now;
        }
        return flight;
    }

    private void launch(Flight flight) {
        try {
            outlet.send(flight.trade(), this::acknowledged, reason -> refused(flight, reason));
        } catch (RuntimeException e) {
            refused(flight, e);
        }
    }

    private void acknowledged() {
        onAcknowledged.run();
        lock.lock();
        try {
            inFlight--;
            noteAcknowledged();
            wakeIfWaiting();
        } finally {
            lock.unlock();
        }
    }

    private void refused(Flight flight, Throwable reason) {
        lock.lock();
        try {
            inFlight--;
            refused.add(flight);
            noteRefused(reason);
            waitsForFlights = true;
            wakeIfWaiting();
        } finally {
            lock.unlock();
        }
    }

    private void wakeIfWaiting() {
        // Otherwise the pump sleeps until the next trade is due, and would be woken for every acknowledgement.
        if (waitsForFlights || failing) {
            changed.signalAll();
        }
    }

    private void noteAcknowledged() {
        progressAt = System.nanoTime();
        acknowledgedSince = true;
        pauseNanos = 0;
    }

    private void noteRefused(Throwable reason) {
        long now = System.nanoTime();
        pauseNanos = Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * pauseNanos));
        retryAt = now + pauseNanos;
        acknowledgedSince = false;
        if (newRefusal == null && !failing) {
            newRefusal = reason;
            failingSince = now;
        }
    }

    /** One line when sending begins to fail, and one when it works again. */
    private void reportChanges(long now) {
        if (!failing && newRefusal != null) {
            beginToFail();
            LOG.warnf(
                    "Generated trades cannot be sent to topic %s: %s. They are kept and sent again until they can be",
                    topic, newRefusal);
            newRefusal = null;
        } else if (!failing && inFlight > 0 && now - progressAt > STALL.toNanos()) {
            failingSince = progressAt;
            acknowledgedSince = false;
            beginToFail();
            LOG.warnf(
                    "No generated trade has been acknowledged for %d s (is the broker up, is there a topic %s?)."
                            + " %d trades are kept, and no more are made until it takes them",
                    STALL.toSeconds(), topic, inFlight);
        }
        if (failing && acknowledgedSince && refused.isEmpty()) {
            failing = false;
            LOG.infof(
                    "Generated trades are acknowledged again after %.1f s and %d retries",
                    (progressAt - failingSince) / 1e9, retries);
        }
    }

    private void beginToFail() {
        failing = true;
        retries = 0;
    }

    private record Flight(long number, GeneratedTrade trade) {}
}
