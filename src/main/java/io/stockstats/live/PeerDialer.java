package io.stockstats.live;

import io.stockstats.store.InstanceAddress;

/** Connects to another instance's stream of the tickers that are processed there. */
interface PeerDialer {

    /** Begins to connect; returns without waiting. */
    Connection dial(InstanceAddress peer, Listener listener);

    /** One connection. */
    interface Connection {

        /** Ends it, if it has not ended. The listener may still be called. */
        void close();
    }

    /** What becomes of a connection; called by any thread, one call at a time. */
    interface Listener extends Frames.Reader {

        /** It ended, or did not come about. Nothing follows. */
        void ended();
    }
}
