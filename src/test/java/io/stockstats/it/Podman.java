package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/**
 * Builds images and runs containers with podman, without a registry: the images that a Dockerfile begins with are made
 * of this machine's JDK and C library. Everything lies in one folder.
 */
final class Podman implements AutoCloseable {

    static final String IMAGE = "localhost/stockstats";

    private static final String JDK_IMAGE = "localhost/stockstats-jdk";
    private static final String BASE_IMAGE = "localhost/stockstats-base";
    private static final String REQUIRED = "STOCKSTATS_IMAGE_TEST";
    private static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+\\.so\\S*)");

    /** What a pod's limits are without asking: nested containers may have lower ones. */
    private static final List<String> LIMITS =
            List.of("--ulimit", "nofile=20000:20000", "--ulimit", "nproc=10000:10000");

    private final Path folder;
    private boolean boundsMemory = true;

    private Podman(Path folder) {
        this.folder = folder;
    }

    /**
     * Podman, if it can run.
     *
     * @throws TestAbortedException if it cannot, and the environment does not require it
     */
    static Podman start() throws IOException, InterruptedException {
        // Podman takes no longer names than such ones.
        Podman podman = new Podman(Files.createTempDirectory(Path.of("/tmp"), "podman-"));
        String refusal = podman.refusal();
        if (!refusal.isEmpty()) {
            podman.close();
            String line = "The image was not tried: podman cannot run here: "
                    + refusal.strip().replaceAll("\\s*\\R\\s*", "; ");
            assertTrue(!"required".equals(System.getenv(REQUIRED)), line);
            System.out.println(line);
            throw new TestAbortedException(line);
        }
        return podman;
    }

    /** Why no container can run here; empty if one can. */
    private String refusal() throws IOException, InterruptedException {
        try {
            Result info = call("info");
            if (info.exit() != 0) {
                return info.output();
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        Path base = folder.resolve("base");
        String loader = base(base);
        Result built = tryToBuild(base, BASE_IMAGE, "FROM scratch\nCOPY . /\n");
        if (built.exit() != 0) {
            return built.output();
        }
        // What runs programs is the one program that the image has.
        List<String> trial = List.of(BASE_IMAGE, loader, "--version");
        Result bounded = process(run("trial", "64m", Map.of(), trial));
        if (bounded.exit() == 0) {
            return "";
        }
        boundsMemory = false;
        Result unbounded = process(run("trial", "64m", Map.of(), trial));
        return unbounded.exit() == 0 ? "" : bounded.output();
    }

    /** Builds the image of this Dockerfile, as its comment says, on images made on the spot. */
    void build(Path dockerfile) throws IOException, InterruptedException {
        Path jdk = folder.resolve("jdk");
        Files.createDirectories(jdk);
        // Debian's has links into /etc.
        run(List.of("cp", "-rL", JDK.toString(), jdk.resolve("jdk").toString()), 0, 1);
        Result built =
                tryToBuild(jdk, JDK_IMAGE, "FROM " + BASE_IMAGE + "\nCOPY jdk /opt/jdk\nENV PATH=/opt/jdk/bin\n");
        assertEquals(0, built.exit(), built::output);
        Result image = tryToBuild(
                Path.of(""),
                dockerfile,
                IMAGE,
                "--build-arg",
                "JDK_IMAGE=" + JDK_IMAGE,
                "--build-arg",
                "BASE_IMAGE=" + BASE_IMAGE);
        assertEquals(0, image.exit(), image::output);
    }

    private Result tryToBuild(Path context, String tag, String dockerfile) throws IOException, InterruptedException {
        Path file = folder.resolve("Dockerfile");
        Files.writeString(file, dockerfile);
        return tryToBuild(context, file, tag);
    }

    private Result tryToBuild(Path context, Path dockerfile, String tag, String... more)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "build",
                "-q",
                "--pull=never",
                "--isolation",
                "chroot",
                "--network",
                "host",
                "-t",
                tag,
                "-f",
                dockerfile.toString()));
        arguments.addAll(LIMITS);
        arguments.addAll(List.of(more));
        arguments.add(context.toAbsolutePath().toString());
        return call(arguments.toArray(new String[0]));
    }

    /**
     * Makes a root file system with what the JVM and RocksDB's library are linked with, and nothing else.
     *
     * @return where the dynamic loader lies in it
     */
    private String base(Path root) throws IOException, InterruptedException {
        Path rocksDb = folder.resolve("librocksdbjni.so");
        try (Stream<Path> jars = Files.list(Path.of("target", "quarkus-app", "lib", "main"))) {
            Path jar = jars.filter(file -> file.getFileName().toString().contains("rocksdbjni"))
                    .findFirst()
                    .orElseThrow();
            try (JarFile open = new JarFile(jar.toFile())) {
                String machine = System.getProperty("os.arch").equals("amd64") ? "linux64" : "linux-aarch64";
                Files.copy(open.getInputStream(open.getEntry("librocksdbjni-" + machine + ".so")), rocksDb);
            }
        }
        Set<String> libraries = new TreeSet<>();
        for (Path file : List.of(
                JDK.resolve("bin/java"),
                JDK.resolve("lib/server/libjvm.so"),
                JDK.resolve("lib/libzip.so"),
                JDK.resolve("lib/libnet.so"),
                JDK.resolve("lib/libnio.so"),
                rocksDb)) {
            LIBRARY.matcher(run(List.of("ldd", file.toString())))
                    .results()
                    .map(found -> found.group(1))
                    .filter(library -> !library.startsWith(JDK.toString()) && !library.endsWith(":"))
                    .forEach(libraries::add);
        }
        for (String library : libraries) {
            Path copy = root.resolve(library.substring(1));
            Files.createDirectories(copy.getParent());
            Files.copy(Path.of(library).toRealPath(), copy);
        }
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "stockstats:x:185:185::/:/\n");
        Files.createDirectories(root.resolve("tmp"));
        Files.setPosixFilePermissions(root.resolve("tmp"), PosixFilePermissions.fromString("rwxrwxrwx"));
        return libraries.stream()
                .filter(library -> library.contains("/ld-linux"))
                .findFirst()
                .orElseThrow();
    }

    /** The command that runs the image as the README says, with these settings; its volume has the container's name. */
    List<String> run(String name, String memory, Map<String, String> settings) {
        return run(name, memory, settings, List.of(IMAGE));
    }

    private List<String> run(String name, String memory, Map<String, String> settings, List<String> imageAndCommand) {
        List<String> command = command();
        command.addAll(List.of("run", "--rm", "--name", name, "--pull=never", "--network", "host"));
        command.addAll(List.of("--read-only", "--read-only-tmpfs=false", "--tmpfs", "/tmp:exec"));
        command.addAll(List.of("-v", name + ":/var/lib/kafka-streams"));
        command.addAll(List.of("--cap-drop", "all", "--security-opt", "no-new-privileges"));
        if (boundsMemory) {
            command.addAll(List.of("--memory", memory));
        }
        command.addAll(LIMITS);
        settings.forEach((variable, value) -> command.addAll(List.of("-e", variable + "=" + value)));
        command.addAll(imageAndCommand);
        return command;
    }

    /** What the kernel lets a process have with all others of its container, in bytes; empty if that is not bounded. */
    static OptionalLong memoryLimit(Path process) throws IOException {
        for (String line : Files.readAllLines(process.resolve("cgroup"))) {
            String[] group = line.split(":", 3);
            Path folder = Path.of("/sys/fs/cgroup", group[1]);
            Path limit = Path.of(folder + group[2], group[1].isEmpty() ? "memory.max" : "memory.limit_in_bytes");
            if ((group[1].isEmpty() || group[1].equals("memory")) && Files.exists(limit)) {
                String bytes = Files.readString(limit).strip();
                // The old interface has the largest number instead of none.
                return bytes.equals("max") || bytes.length() > 15
                        ? OptionalLong.empty()
                        : OptionalLong.of(Long.parseLong(bytes));
            }
        }
        return OptionalLong.empty();
    }

    /** How the image has this file or folder, as tar says it. */
    String entry(String path) throws IOException, InterruptedException {
        Path tar = folder.resolve("image.tar");
        for (String[] command : List.of(
                new String[] {"create", "--name", "export", "--pull=never", IMAGE},
                new String[] {"export", "-o", tar.toString(), "export"})) {
            Result result = call(command);
            assertEquals(0, result.exit(), result::output);
        }
        return run(List.of("tar", "--numeric-owner", "-tvf", tar.toString(), "--no-recursion", path));
    }

    /** What podman says of a container or image, by a Go template. */
    String inspect(String name, String template) throws IOException, InterruptedException {
        Result inspected = call("inspect", "--format", template, name);
        assertEquals(0, inspected.exit(), inspected::output);
        return inspected.output().strip();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            call("rm", "-f", "-t", "0", "--all");
            // In a user's own podman their files are another user's.
            call("volume", "rm", "-f", "--all");
            call("rmi", "-f", "--all");
        } catch (IOException e) {
            // Where there is no podman it leaves nothing.
        }
        process(List.of("rm", "-rf", folder.toString()));
    }

    private List<String> command() {
        return new ArrayList<>(List.of(
                "podman",
                "--root",
                folder.resolve("root").toString(),
                "--runroot",
                folder.resolve("run").toString(),
                "--cgroup-manager",
                "cgroupfs",
                "--runtime",
                "runc"));
    }

    private Result call(String... arguments) throws IOException, InterruptedException {
        List<String> command = command();
        command.addAll(List.of(arguments));
        return process(command);
    }

    private static String run(List<String> command, Integer... accepted) throws IOException, InterruptedException {
        Result result = process(command);
        assertTrue(
                result.exit() == 0 || List.of(accepted).contains(result.exit()),
                () -> command + ": " + result.output());
        return result.output();
    }

    private record Result(int exit, String output) {}

    private static Result process(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile("podman-", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new AssertionError(command + " hangs: " + Files.readString(said));
            }
            return new Result(process.exitValue(), Files.readString(said));
        } finally {
            Files.delete(said);
        }
    }

    /** Settings as environment variables. */
    static Map<String, String> environment(Map<String, String> settings) {
        Map<String, String> variables = new LinkedHashMap<>();
        settings.forEach((property, value) -> variables.put(Instance.variable(property), value));
        return variables;
    }
}
