package io.stockstats.generate;

import java.util.function.Consumer;

/** Where generated trades go. */
interface Outlet {

    /**
     * Makes ready for sending; called before the first trade, again and again until it succeeds.
     *
     * @throws RuntimeException if it cannot be made ready now
     */
    void open();

    /**
     * Takes a trade without waiting. Exactly one of the two is called later, on any thread; trades that nothing is wrong
     * with keep the order in which they were handed over.
     *
     * @throws RuntimeException if the trade is not taken; then neither is called
     */
    void send(GeneratedTrade trade, Runnable acknowledged, Consumer<Throwable> refused);

    /** Gives up at once what has been taken and is not acknowledged yet. */
    void abandon();
}
