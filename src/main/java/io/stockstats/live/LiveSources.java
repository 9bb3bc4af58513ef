package io.stockstats.live;

import java.util.function.LongSupplier;

/**
 * What the hub works with.
 *
 * @param everything the latest window of each ticker of all instances
 * @param local the latest window of each ticker that is processed here
 * @param peers the other instances
 * @param dialer connects to them
 * @param rounds the hub's pulse
 * @param nanoTime {@link System#nanoTime}
 */
record LiveSources(
        SnapshotSource everything,
        SnapshotSource local,
        Peers peers,
        PeerDialer dialer,
        Rounds rounds,
        LongSupplier nanoTime) {}
