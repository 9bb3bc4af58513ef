package io.stockstats.live;

import io.stockstats.stats.WindowStats;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A client's connection whose buffer and thread do as the test says. */
final class FakeOutlet implements Outlet {

    boolean full;
    /** Whether tasks are kept instead of run: the client's thread does not come to them. */
    boolean stalled;
    /** Takes so many more writes until it is full. */
    int takes = Integer.MAX_VALUE;

    boolean ended;
    boolean dropped;
    final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Buffer> written = new ArrayList<>();

    @Override
    public void run(Runnable task) {
        tasks.add(task);
        if (!stalled) {
            runTasks();
        }
    }

    void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Override
    public boolean isFull() {
        return full;
    }

    @Override
    public void write(Buffer bytes) {
        written.add(bytes);
        full = --takes <= 0;
    }

    @Override
    public void end() {
        ended = true;
    }

    @Override
    public void drop() {
        dropped = true;
    }

    /** What was written since the last call, as text. */
    String text() {
        Buffer all = Buffer.buffer();
        written.forEach(all::appendBuffer);
        written.clear();
        return all.toString(StandardCharsets.UTF_8);
    }

    /** The ids of the events that were written since the last call, with their tickers, in order. */
    List<String> events() {
        List<String> events = new ArrayList<>();
        for (String event : text().split("\n\n", -1)) {
            if (event.startsWith("event: stats\n")) {
                String[] lines = event.split("\n", -1);
                String ticker = lines[2].replaceFirst("data: \\{\"ticker\":\"([^\"]+)\".*", "$1");
                events.add(ticker + " " + lines[1].substring("id: ".length()));
            }
        }
        return events;
    }

    /** The frames that were written since the last call. */
    List<WindowStats> frames() {
        List<WindowStats> windows = new ArrayList<>();
        Handler<Buffer> reader = Frames.reader(new Frames.Reader() {
            @Override
            public void window(WindowStats window) {
                windows.add(window);
            }

            @Override
            public void heartbeat() {}
        });
        written.forEach(reader::handle);
        written.clear();
        return windows;
    }
}
