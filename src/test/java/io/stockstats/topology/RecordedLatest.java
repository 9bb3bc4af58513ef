package io.stockstats.topology;

import io.stockstats.stats.WindowStats;
import java.util.ArrayList;
import java.util.List;

/** Keeps what was handed over, in order; nothing is wanted until the test says so. */
final class RecordedLatest implements LatestWindows {

    boolean wanted;
    int asked;
    private final List<WindowStats> windows = new ArrayList<>();

    @Override
    public boolean wanted() {
        asked++;
        return wanted;
    }

    @Override
    public void changed(WindowStats latest) {
        windows.add(latest);
    }

    /** What was handed over since the last call. */
    List<WindowStats> drain() {
        List<WindowStats> drained = List.copyOf(windows);
        windows.clear();
        return drained;
    }
}
