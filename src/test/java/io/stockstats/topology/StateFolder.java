package io.stockstats.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A state directory of a driver's own: the default one is shared by every build on the machine. */
final class StateFolder implements AutoCloseable {

    private final Path path;

    StateFolder() {
        try {
            path = Files.createTempDirectory("stockstats-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }

    @Override
    public void close() {
        try (Stream<Path> content = Files.walk(path)) {
            List<Path> deepestFirst = content.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
