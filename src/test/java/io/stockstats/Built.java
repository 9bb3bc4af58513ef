package io.stockstats;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The project built once more, beside itself: with other options, and as another version. */
public final class Built {

    private static final Path PROJECT = Path.of("").toAbsolutePath();
    private static final int LONGEST_MINUTES = 5;

    private Built() {}

    /** The folder that a build leaves which is several variants at once, and is made once: each takes half a minute. */
    public static Path statelessAndNative() {
        return StatelessAndNative.TARGET;
    }

    private static final class StatelessAndNative {
        static final Path TARGET = build();

        private static Path build() {
            try {
                return as(
                        Files.createTempDirectory("built-"),
                        "0.1.0",
                        "-Dstateless",
                        "-Dautoscaled",
                        "-Dnative",
                        "-Dquarkus.native.container-build=true",
                        "-Dquarkus.native.sources-only=true");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    /** The folder that the build leaves. */
    public static Path as(Path folder, String version, String... options) throws IOException, InterruptedException {
        copy(PROJECT.resolve("src/main"), folder.resolve("src/main"));
        copy(PROJECT.resolve("target/classes"), folder.resolve("target/classes"));
        String pom = Files.readString(PROJECT.resolve("pom.xml"));
        Files.writeString(
                folder.resolve("pom.xml"),
                pom.replaceFirst("<version>[^<]*</version>", "<version>" + version + "</version>"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-ntp",
                "-q",
                "package",
                "-Dmaven.main.skip",
                "-Dmaven.test.skip",
                "-Dspotless.check.skip"));
        command.addAll(List.of(options));
        Path log = folder.resolve("build.log");
        Process build = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!build.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES) || build.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + ":\n" + Files.readString(log));
            }
        } finally {
            build.descendants().forEach(ProcessHandle::destroyForcibly);
            build.destroyForcibly();
        }
        return folder.resolve("target");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                Path target = to.resolve(from.relativize(file).toString());
                try {
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }
}
