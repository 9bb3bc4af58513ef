package io.stockstats.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What is measured: how its process is started, and what makes it begin. */
interface Contender {

    /** Threads that process, where there can be several. */
    int THREADS = 2;

    /** The heap of every process. */
    int HEAP_MIB = 1_024;

    /**
     * What a process works with.
     *
     * @param bootstrapServers the broker
     * @param trades the topic of trades
     * @param group its group, by which the topics begin that are its own
     * @param state its state directory
     * @param log where its log goes
     */
    record Place(String bootstrapServers, String trades, String group, Path state, Path log) {
        String output() {
            return group + "-output";
        }

        String rejected() {
            return group + "-rejected";
        }

        /** That of one instance of several: with its own state directory and log. */
        Place of(String instance) {
            return new Place(
                    bootstrapServers,
                    trades,
                    group,
                    state.resolve(instance),
                    log.resolveSibling(group + "-" + instance + ".log"));
        }
    }

    /** Starts the process, which then waits. */
    Subject start(Place place) throws IOException, InterruptedException;

    /** The package that is measured, to compare two. */
    Path PACKAGE = Path.of(System.getProperty("bench.package", "target/quarkus-app"));

    /** See {@link Floor}. */
    static Contender floor() {
        return place -> Subject.main(
                HEAP_MIB, place.log(), Floor.class, List.of(place.bootstrapServers(), place.trades(), place.group()));
    }

    /** See {@link Textbook}. */
    static Contender textbook() {
        return place -> Subject.main(
                HEAP_MIB,
                place.log(),
                Textbook.class,
                List.of(
                        place.bootstrapServers(),
                        place.trades(),
                        place.output(),
                        place.group(),
                        place.state().toString(),
                        Integer.toString(THREADS)));
    }

    /** The packaged service, with these settings on top. It waits for the topic of rejected records. */
    static Contender stockstats(Map<String, String> settings) {
        return place -> {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("kafka.bootstrap.servers", place.bootstrapServers());
            all.put("quarkus.kafka-streams.application-id", place.group());
            all.put("stockstats.topics.trades", place.trades());
            all.put("stockstats.topics.output", place.output());
            all.put("stockstats.topics.rejected", place.rejected());
            all.put("kafka-streams.state.dir", place.state().toString());
            all.put("kafka-streams.num.stream.threads", Integer.toString(THREADS));
            all.put("quarkus.http.host", "127.0.0.1");
            all.put("quarkus.http.port", Integer.toString(freePort()));
            all.putAll(settings);
            List<String> arguments = new ArrayList<>();
            all.forEach((name, value) -> arguments.add("-D" + name + "=" + value));
            arguments.addAll(List.of("-jar", PACKAGE.resolve("quarkus-run.jar").toString()));
            Subject subject = Subject.java(HEAP_MIB, place.log(), arguments);
            subject.awaitLog("Listening on", Duration.ofMinutes(1));
            return subject;
        };
    }

    /** Two instances of the service, of half the threads each. */
    static Contender twoInstances(Map<String, String> settings) {
        Map<String, String> half = new LinkedHashMap<>(settings);
        half.put("kafka-streams.num.stream.threads", Integer.toString(THREADS / 2));
        Contender instance = stockstats(half);
        return place -> {
            Subject first = instance.start(place.of("first"));
            try {
                return Subject.both(first, instance.start(place.of("second")));
            } catch (IOException | IllegalStateException e) {
                first.close();
                throw e;
            }
        };
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        }
    }
}
