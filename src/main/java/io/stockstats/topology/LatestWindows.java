package io.stockstats.topology;

import io.stockstats.stats.WindowStats;

/**
 * Who wants to know of each ticker's latest window while it changes: the one of the configured size that ends at the
 * first advance boundary after the ticker's newest trade. The stream's threads call it, many times a second, so
 * neither method may wait for anything.
 */
public interface LatestWindows {

    /** Nobody does. */
    LatestWindows UNWANTED = new LatestWindows() {
        @Override
        public boolean wanted() {
            return false;
        }

        @Override
        public void changed(WindowStats latest) {
            throw new IllegalStateException("nobody wants to know of " + latest.ticker());
        }
    };

    /**
     * Whether anybody wants to know now. Once it is true, each ticker whose windows are not all final is handed over
     * within a tenth of a second, changed or not; later ones when they changed.
     */
    boolean wanted();

    /** Takes the ticker's latest window, which has changed or became final. Of a ticker's windows the last call counts. */
    void changed(WindowStats latest);
}
