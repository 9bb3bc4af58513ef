package io.stockstats.dev;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker inside this JVM: one KRaft node, broker and controller in one, that listens on 127.0.0.1 only. It is
 * meant for development and tests: internal topics have one replica and few partitions, topics are not created by
 * using them, and no record is removed because of its age, so that trades of an old day can be replayed.
 *
 * <p>Not safe for use by several threads at once.
 */
public final class EmbeddedBroker implements AutoCloseable {

    private static final String HOST = Loopback.HOST;
    private static final int NODE_ID = 1;
    private static final int ANY_PORT = 0;
    private static final int ATTEMPTS = 3;

    private final Map<String, String> properties;
    private final Path folder;
    private final boolean ownFolder;
    private final boolean chosenPort;
    private int port;
    private @Nullable KafkaRaftServer server;

    private EmbeddedBroker(Builder builder) {
        properties = builder.properties;
        port = builder.port;
        chosenPort = builder.port != ANY_PORT;
        Path given = builder.folder;
        ownFolder = given == null;
        try {
            folder = given == null
                    ? Files.createTempDirectory("stockstats-broker-")
                    : Files.createDirectories(given).toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the broker's data folder", e);
        }
    }

    /** A broker on any free port with a temporary folder and no further properties, unless told otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Starts the broker, again with the same port and the same data after {@link #stop()}. Returns when clients can
     * connect; does nothing when the broker runs.
     *
     * @throws PortTakenException if something else listens on the chosen port
     * @throws IllegalStateException if the broker does not start for another reason, named by the cause
     */
    public void start() {
        if (server != null) {
            return;
        }
        for (int attempt = 1; ; attempt++) {
            if (port == ANY_PORT) {
                port = Loopback.freePort();
            } else if (!Loopback.isFree(port)) {
                throw new PortTakenException(port);
            }
            try {
                server = started(freePortBut(port));
                return;
            } catch (Exception e) {
                if (!causedByBind(e)) {
                    throw new IllegalStateException("The embedded broker did not start", e);
                }
                // Another process was quicker: to take the port that was free a moment ago, or the controller's.
                if (attempt == ATTEMPTS) {
                    throw new IllegalStateException("The embedded broker found no free port", e);
                }
                if (!chosenPort) {
                    port = ANY_PORT;
                }
            }
        }
    }

    /** What clients connect to: host and port. */
    public String bootstrapServers() {
        return HOST + ":" + port;
    }

    /** The port that the broker listens on, or listened on before it was stopped. */
    public int port() {
        return port;
    }

    /** Stops the broker and keeps its data; does nothing when it is stopped. */
    public void stop() {
        KafkaRaftServer running = server;
        if (running != null) {
            server = null;
            stop(running);
        }
    }

    /** Stops the broker and deletes its data, unless the folder was given to it. */
    @Override
    public void close() {
        stop();
        if (ownFolder) {
            delete(folder);
        }
    }

    static void delete(Path folder) {
        try {
            Utils.delete(folder.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + folder, e);
        }
    }

    /** The operating system may well name a port anew that has been let go of. */
    private static int freePortBut(int taken) {
        int free = Loopback.freePort();
        while (free == taken) {
            free = Loopback.freePort();
        }
        return free;
    }

    private KafkaRaftServer started(int controllerPort) throws Exception {
        format();
        // Kafka loads classes that its configuration names through the thread's class loader, and its threads inherit
        // it: they must not hold on to an application that dev mode is about to throw away.
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(KafkaRaftServer.class.getClassLoader());
        try {
            KafkaRaftServer starting =
                    new KafkaRaftServer(KafkaConfig.fromProps(configuration(controllerPort), false), Time.SYSTEM);
            try {
                starting.startup();
            } catch (Throwable e) {
                stop(starting);
                throw e;
            }
            return starting;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static void stop(KafkaRaftServer running) {
        running.shutdown();
        running.awaitShutdown();
    }

    private void format() throws Exception {
        if (Files.exists(folder.resolve("meta.properties"))) {
            return;
        }
        new Formatter()
                .setClusterId(Uuid.randomUuid().toString())
                .setNodeId(NODE_ID)
                .setDirectories(List.of(folder.toString()))
                .setMetadataLogDirectory(folder.toString())
                .setControllerListenerName("CONTROLLER")
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .run();
    }

    private Properties configuration(int controllerPort) {
        Properties all = new Properties();
        all.put("process.roles", "broker,controller");
        all.put("node.id", Integer.toString(NODE_ID));
        all.put("log.dirs", folder.toString());
        all.put("listeners", "PLAINTEXT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort);
        all.put("advertised.listeners", "PLAINTEXT://" + HOST + ":" + port);
        all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("controller.listener.names", "CONTROLLER");
        all.put("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);

        all.put("auto.create.topics.enable", "false");
        all.put("default.replication.factor", "1");
        all.put("min.insync.replicas", "1");
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "5");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "5");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("share.coordinator.state.topic.num.partitions", "1");

        // Replayed trades carry the time of an old day: by their age they would be gone before they are read.
        all.put("log.retention.ms", "-1");
        all.put("log.retention.bytes", "-1");

        all.put("group.initial.rebalance.delay.ms", "0");
        all.put("broker.heartbeat.interval.ms", "500");
        all.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 << 20));
        all.put("num.network.threads", "2");
        all.put("num.io.threads", "4");
        all.put("background.threads", "2");
        all.put("metric.reporters", "");

        all.putAll(properties);
        return all;
    }

    private static boolean causedByBind(Throwable failure) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (e instanceof BindException) {
                return true;
            }
        }
        return false;
    }

    /** What a broker is to be like. */
    public static final class Builder {

        private int port = ANY_PORT;
        private Map<String, String> properties = Map.of();
        private @Nullable Path folder;

        private Builder() {}

        /** The port to listen on, 1 to 65535. */
        public Builder port(int chosen) {
            if (chosen < 1 || chosen > 65_535) {
                throw new IllegalArgumentException("port " + chosen + " is not within 1 to 65535");
            }
            port = chosen;
            return this;
        }

        /** Broker properties on top of the broker's own, which they override. */
        public Builder properties(Map<String, String> more) {
            properties = Map.copyOf(more);
            return this;
        }

        /** Where the data lie; created when absent, and never deleted by the broker. */
        public Builder folder(Path given) {
            folder = given;
            return this;
        }

        /** A broker that runs: see {@link EmbeddedBroker#start()}. */
        public EmbeddedBroker start() {
            EmbeddedBroker broker = new EmbeddedBroker(this);
            try {
                broker.start();
            } catch (RuntimeException e) {
                broker.close();
                throw e;
            }
            return broker;
        }
    }

    /** Something else listens on the port that the broker was to have. */
    public static final class PortTakenException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        PortTakenException(int port) {
            super("Port " + port + " of " + HOST + " is taken by another process");
        }
    }
}
