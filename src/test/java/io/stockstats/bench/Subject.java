package io.stockstats.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process that is measured, or several that are measured as one. */
final class Subject implements AutoCloseable {

    /** What the log says once trades can come, in the words of Kafka Streams. */
    static final String RUNNING = "State transition from REBALANCING to RUNNING";

    /** One processor-time unit of {@code /proc}, everywhere but on exotic kernels. */
    private static final long MILLIS_PER_TICK = 10;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    private final List<Process> processes;
    private final Path log;

    private Subject(List<Process> processes, Path log) {
        this.processes = processes;
        this.log = log;
    }

    /** Both as one, with the log of the first. */
    static Subject both(Subject first, Subject second) {
        List<Process> processes = new ArrayList<>(first.processes);
        processes.addAll(second.processes);
        return new Subject(processes, first.log);
    }

    /** Starts Java with a heap of this many MiB and these arguments. */
    static Subject java(int heapMib, Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMib + "m");
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        return new Subject(List.of(process), log);
    }

    /** A main class of this package, which begins when it is told to. */
    static Subject main(int heapMib, Path log, Class<?> main, List<String> arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        all.addAll(arguments);
        return java(heapMib, log, all);
    }

    /** Waits, in the process that is measured, to be told to begin. */
    static void awaitGo() {
        try {
            System.out.println("ready");
            System.in.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void go() throws IOException {
        for (Process process : processes) {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        }
    }

    void awaitLog(String text, Duration within) throws IOException, InterruptedException {
        long until = System.nanoTime() + within.toNanos();
        while (!log().contains(text)) {
            if (!processes.stream().allMatch(Process::isAlive) || System.nanoTime() > until) {
                throw new IllegalStateException("\"" + text + "\" is not in the log:\n" + log());
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    String log() throws IOException {
        return Files.readString(log);
    }

    /** The time that processors have spent on it, as user and as system. */
    Duration cpu() throws IOException {
        long ticks = 0;
        for (Process process : processes) {
            String stat = proc(process, "stat");
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            ticks += Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
        }
        return Duration.ofMillis(ticks * MILLIS_PER_TICK);
    }

    /** The most memory that was resident at any time, in MiB. */
    long peakMib() throws IOException {
        long kib = 0;
        for (Process process : processes) {
            kib += proc(process, "status")
                    .lines()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
        }
        return kib / 1024;
    }

    private static String proc(Process process, String file) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), file));
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    /** SIGTERM, and SIGKILL if that does not help. */
    @Override
    public void close() {
        processes.forEach(Process::destroy);
        try {
            for (Process process : processes) {
                if (!process.waitFor(20, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            }
        } catch (InterruptedException e) {
            processes.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}
