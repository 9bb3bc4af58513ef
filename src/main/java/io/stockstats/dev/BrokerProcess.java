package io.stockstats.dev;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The embedded broker as a process of its own, for {@code src/demo/failover.sh}. */
final class BrokerProcess {

    private BrokerProcess() {}

    /**
     * Runs a broker until the process is ended.
     *
     * @param arguments the port to listen on, and the folder of the data, which stay
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException("Two arguments are needed: the port, and the folder of the data");
        }
        EmbeddedBroker broker = EmbeddedBroker.builder()
                .port(Integer.parseInt(arguments[0]))
                .folder(Path.of(arguments[1]))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "Kafka broker: stop"));
        new CountDownLatch(1).await();
    }
}
