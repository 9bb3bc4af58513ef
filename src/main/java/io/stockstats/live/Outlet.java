package io.stockstats.live;

import io.vertx.core.buffer.Buffer;

/**
 * Where one client's bytes go. All methods but {@link #run} are called by tasks that were given to {@link #run} only,
 * one at a time.
 */
public interface Outlet {

    /** Runs the task later, after those that came before it, on the one thread that may write to this client. */
    void run(Runnable task);

    /** Whether as much waits to be sent as may wait; when that is sent, {@link LiveClient#drained} is to be called. */
    boolean isFull();

    void write(Buffer bytes);

    /** Ends the answer in order. */
    void end();

    /** Cuts the connection: the client takes nothing. */
    void drop();
}
