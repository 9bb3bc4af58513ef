package io.stockstats.topology;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.stockstats.stats.WindowRules;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeFormat;
import io.stockstats.wire.TradesConfig;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * The stream, in a process that ends as by {@code kill -9} when its Kafka clients come to a certain call: the n-th, since
 * the process began, of a method; where it sends, to a topic whose name holds a word.
 */
public final class KilledAtAStep implements KafkaClientSupplier {

    /** The exit code of a process that came to its step. */
    public static final int KILLED = 9;

    private final KafkaClientSupplier clients = new DefaultKafkaClientSupplier();
    private final AtomicInteger calls = new AtomicInteger();
    private final Step step;

    /**
     * Where to end.
     *
     * @param after whether the call has returned
     * @param method its name
     * @param topic what the name of the topic holds that is sent to; empty for any
     * @param call which call, from 1
     */
    private record Step(boolean after, String method, String topic, int call) {
        /** From {@code before|after method[:topic] call}. */
        static Step parse(String text) {
            String[] words = text.split(" ");
            String[] call = words[1].split(":");
            return new Step(
                    words[0].equals("after"), call[0], call.length > 1 ? call[1] : "", Integer.parseInt(words[2]));
        }

        boolean is(String called, Object[] arguments) {
            return called.equals(method)
                    && (topic.isEmpty()
                            || ((ProducerRecord<?, ?>) arguments[0]).topic().contains(topic));
        }
    }

    private KilledAtAStep(Step step) {
        this.step = step;
    }

    /** Arguments: trades, output, rejected, the step, and settings of Kafka Streams as {@code name=value}. */
    public static void main(String[] args) {
        Properties config = new Properties();
        for (int i = 4; i < args.length; i++) {
            String[] nameAndValue = args[i].split("=", 2);
            config.put(nameAndValue[0], nameAndValue[1]);
        }
        TopologySettings settings = new TopologySettings(
                args[0],
                args[1],
                args[2],
                new WindowRules(5_000, 1_000, 30_000, 900_000),
                Optional.empty(),
                StatsConfig.Emit.UPDATES,
                Duration.ofMillis(50),
                StatsConfig.Store.ROCKSDB,
                TradesConfig.Start.EARLIEST,
                false,
                Optional.empty());
        KafkaStreams streams = new KafkaStreams(
                StatsTopology.build(
                        settings,
                        new TradeDecoder(TradeFormat.STOCKSTATS, Clock.systemUTC()),
                        new StreamCounters(new SimpleMeterRegistry()),
                        new PartitionTimes(),
                        () -> 1 << 20,
                        LatestWindows.UNWANTED,
                        () -> 0),
                config,
                new KilledAtAStep(Step.parse(args[3])));
        Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
        streams.start();
    }

    @SuppressWarnings("unchecked")
    private <T> T watched(Class<T> type, T client) {
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            boolean here = step.is(method.getName(), arguments) && calls.incrementAndGet() == step.call();
            if (here && !step.after()) {
                Runtime.getRuntime().halt(KILLED);
            }
            try {
                Object result = method.invoke(client, arguments);
                if (here) {
                    Runtime.getRuntime().halt(KILLED);
                }
                return result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return clients.getAdmin(config);
    }

    @SuppressWarnings("unchecked")
    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return watched(Producer.class, clients.getProducer(config));
    }

    @SuppressWarnings("unchecked")
    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return watched(Consumer.class, clients.getConsumer(config));
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return clients.getRestoreConsumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return clients.getGlobalConsumer(config);
    }
}
