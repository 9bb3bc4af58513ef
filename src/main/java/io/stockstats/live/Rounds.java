package io.stockstats.live;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What calls a round again and again, never two at a time. */
interface Rounds {

    /** Begins, with the first round at once. */
    Running begin(Runnable round);

    /** Rounds that were begun. */
    interface Running {

        /** No further round begins. May be called by a round. */
        void stop();
    }

    /** A thread of its own for as long as they run, with a pause of this length from round to round. */
    static Rounds every(Duration pause) {
        return round -> {
            ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread created = new Thread(task, "live");
                created.setDaemon(true);
                return created;
            });
            var unused = thread.scheduleWithFixedDelay(round, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
            return thread::shutdown;
        };
    }
}
