package io.stockstats.topology;

import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.TopList;
import io.stockstats.wire.TopListJson;
import io.stockstats.wire.TopReport;
import io.stockstats.wire.TopReportSerde;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeSerde;
import io.stockstats.wire.TradesConfig;
import io.stockstats.wire.WindowKey;
import io.stockstats.wire.WindowStatsJson;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The stream's shape:
 *
 * <pre>
 * trades ──► trades-in ──► accepted ──► [by-ticker] ──► windows ──► output
 *                └───────► rejected ──► rejections          └─────► [partial-lists ──► top-lists ──► top-merger ──► top]
 * </pre>
 *
 * Every node, store and internal topic is named, so that no change of the shape renames another's topic.
 */
public final class StatsTopology {

    /** The repartition topic's name without the application id and {@code -repartition}. */
    private static final String BY_TICKER = "by-ticker";

    /** The node that writes windows. */
    static final String OUTPUT = "output";

    /** The node that keeps a partition's top lists. */
    static final String PARTIAL_LISTS = "partial-lists";

    private static final String TOP_LISTS = "top-lists";

    private StatsTopology() {}

    /**
     * Builds the topology.
     *
     * @param settings what it does
     * @param decoder reads records; called by the stream's threads
     * @param counters what it counts
     * @param times where it tells queries how far it is
     * @param largestRejected the largest record that the rejected topic takes, in bytes
     * @param latest whom it tells of each ticker's latest window
     * @param partitions how many partitions panes are kept in, 0 while that is unknown
     */
    public static Topology build(
            TopologySettings settings,
            TradeDecoder decoder,
            StreamCounters counters,
            PartitionTimes times,
            IntSupplier largestRejected,
            LatestWindows latest,
            IntSupplier partitions) {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<byte[], IncomingRecord> incoming = builder.stream(
                settings.trades(),
                Consumed.with(Serdes.ByteArray(), readOnly(IncomingRecord::new))
                        .withTimestampExtractor(new EventTimeExtractor(decoder))
                        // Of this topic alone: internal ones are always read from their beginning.
                        .withOffsetResetPolicy(
                                settings.start() == TradesConfig.Start.LATEST
                                        ? AutoOffsetReset.latest()
                                        : AutoOffsetReset.earliest())
                        .withName("trades-in"));

        incoming.process(() -> new RejectionReporter(counters, largestRejected), Named.as("rejected"))
                .to(
                        settings.rejected(),
                        Produced.with(Serdes.ByteArray(), Serdes.ByteArray()).withName("rejections"));

        KStream<Ticker, Trade> trades = incoming.process(() -> new AcceptedTrades(counters), Named.as("accepted"));
        if (settings.rekey()) {
            trades = trades.repartition(
                    Repartitioned.with(TradeSerde.ticker(), TradeSerde.trade()).withName(BY_TICKER));
        }
        KStream<WindowKey, WindowStats> windows =
                trades.process(windows(settings, counters, times, latest), Named.as("windows"));
        windows.to(
                settings.output(),
                Produced.with(writeOnly(WindowKey::bytes), writeOnly(WindowStatsJson::bytes))
                        .withStreamPartitioner(byTicker())
                        .withName(OUTPUT));
        settings.top().ifPresent(top -> topLists(windows, settings, top, partitions));
        return builder.build();
    }

    /** Comes last: Kafka Streams numbers the parts of the topology, and tasks' folders, in the order they are made. */
    private static void topLists(
            KStream<WindowKey, WindowStats> panes, TopologySettings settings, TopSettings top, IntSupplier partitions) {
        panes.process(() -> new PartialLists(settings, top.rule()), Named.as(PARTIAL_LISTS), PaneStore.NAME)
                .repartition(Repartitioned.with(
                                Serdes.Integer(),
                                Serdes.serdeFrom(
                                        (topic, report) -> TopReportSerde.serialize(report),
                                        (topic, bytes) -> TopReportSerde.deserialize(bytes)))
                        .withName(TOP_LISTS)
                        .withNumberOfPartitions(1))
                .process(merger(settings, top, partitions), Named.as("top-merger"))
                .to(
                        top.topic(),
                        Produced.with(Serdes.Long(), writeOnly(TopListJson::bytes))
                                .withName("top"));
    }

    /** The topic by whose partitions panes are kept when trades are repartitioned. */
    public static String byTickerTopic(String applicationId) {
        return applicationId + "-" + BY_TICKER + "-repartition";
    }

    /** The partition that Kafka's own producer would choose for a key: murmur2. */
    public static int partitionOf(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }

    /** Keeps one ticker's windows in one partition, where they stay in order. */
    static StreamPartitioner<WindowKey, WindowStats> byTicker() {
        return (topic, key, value, partitions) -> Optional.of(Set.of(partitionOf(key.tickerBytes(), partitions)));
    }

    private static ProcessorSupplier<Ticker, Trade, WindowKey, WindowStats> windows(
            TopologySettings settings, StreamCounters counters, PartitionTimes times, LatestWindows latest) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<Ticker, Trade, WindowKey, WindowStats> get() {
                return new PanesProcessor(settings, counters, times, latest);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(PaneStore.builder(settings.store()));
            }
        };
    }

    private static ProcessorSupplier<Integer, TopReport, Long, TopList> merger(
            TopologySettings settings, TopSettings top, IntSupplier partitions) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<Integer, TopReport, Long, TopList> get() {
                return new TopMerger(top.rule(), settings.rules().retention(), partitions);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(TopStore.builder(settings.store()));
            }
        };
    }

    private static <T> Serde<T> readOnly(Function<byte[], T> read) {
        Deserializer<T> deserializer = (topic, bytes) -> read.apply(bytes);
        Serializer<T> serializer = (topic, value) -> {
            throw new UnsupportedOperationException("this type is only read");
        };
        return Serdes.serdeFrom(serializer, deserializer);
    }

    private static <T> Serde<T> writeOnly(Function<T, byte[]> write) {
        Deserializer<T> deserializer = (topic, bytes) -> {
            throw new UnsupportedOperationException("this type is only written");
        };
        Serializer<T> serializer = (topic, value) -> write.apply(value);
        return Serdes.serdeFrom(serializer, deserializer);
    }
}
