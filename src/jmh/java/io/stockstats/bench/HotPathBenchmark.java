package io.stockstats.bench;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowRules;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.CopyLags;
import io.stockstats.store.LocalPanes;
import io.stockstats.topology.KnownTimes;
import io.stockstats.trade.Decoded;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.PaneKey;
import io.stockstats.wire.PaneStatsSerde;
import io.stockstats.wire.TradeDecoder;
import io.stockstats.wire.TradeFormat;
import io.stockstats.wire.WindowStatsJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What each step of a trade and of a query costs by itself. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HotPathBenchmark {

    private static final long T = 1_764_512_400_000L;
    private static final int TICKERS = 5_000;
    private static final int PANES = 60;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final TradeDecoder decoder = new TradeDecoder(TradeFormat.STOCKSTATS, Clock.systemUTC());
    private final byte[] key = "T4711".getBytes(StandardCharsets.UTF_8);
    private final byte[] number =
            """
            {"type":"ASK","ticker":"T4711","price":101.25,"size":33,"timestamp":1764512999123}"""
                    .getBytes(StandardCharsets.UTF_8);
    private final byte[] dateTime =
            """
            {"type":"ASK","ticker":"T4711","price":101.25,"size":33,"timestamp":"2025-11-30T14:29:59.123456789Z"}"""
                    .getBytes(StandardCharsets.UTF_8);
    private final Ticker ticker = new Ticker("T4711");
    private final Trade trade = new Trade(ticker, 101.25, 33, "ASK", T * NANOS_PER_MILLI);
    private final PaneStats pane = PaneStats.of(trade, 1).plus(trade, 2);
    private final byte[] paneBytes = PaneStatsSerde.serialize(pane);
    private final WindowStats window = new WindowStats(ticker, Window.startingAt(T, 5_000), false, pane);

    private Path folder;
    private KeyValueStore<Bytes, byte[]> store;
    private LocalPanes panes;

    @Setup
    public void fill() throws IOException {
        folder = Files.createTempDirectory("stockstats-jmh-");
        Properties properties = new Properties();
        properties.put("application.id", "stockstats");
        properties.put("bootstrap.servers", "");
        MockProcessorContext<Void, Void> context =
                new MockProcessorContext<>(properties, new TaskId(0, 0), folder.toFile());
        store = Stores.keyValueStoreBuilder(
                        Stores.persistentKeyValueStore("panes"), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .withCachingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        for (int i = 0; i < TICKERS; i++) {
            for (int at = 0; at < PANES; at++) {
                store.put(Bytes.wrap(new PaneKey(new Ticker("T" + i), T + at * 1_000L).bytes()), paneBytes);
            }
        }
        panes = new LocalPanes(
                partition -> store,
                new KnownTimes().with(0, T + PANES * 1_000L, store).times(),
                new CopyLags(),
                partition -> true,
                new WindowRules(5_000, 1_000, 30_000, 900_000));
    }

    @TearDown
    public void close() throws IOException {
        store.close();
        Utils.delete(folder.toFile());
    }

    @Benchmark
    public Decoded decodeTimestampAsNumber() {
        return decoder.decode(key, number, 0);
    }

    @Benchmark
    public Decoded decodeTimestampAsText() {
        return decoder.decode(key, dateTime, 0);
    }

    @Benchmark
    public PaneStats plus() {
        return pane.plus(trade, 3);
    }

    @Benchmark
    public PaneStats merge() {
        return pane.merge(pane);
    }

    @Benchmark
    public byte[] serialize() {
        return PaneStatsSerde.serialize(pane);
    }

    @Benchmark
    public PaneStats deserialize() {
        return PaneStatsSerde.deserialize(paneBytes);
    }

    @Benchmark
    public byte[] windowAsJson() {
        return WindowStatsJson.bytes(window);
    }

    /** Of 5,000 tickers with 60 panes each, in RocksDB. */
    @Benchmark
    public Optional<?> latestWindow() {
        return panes.read(0, reader -> reader.latest(ticker, 5_000));
    }

    @Benchmark
    public Optional<?> latestMinute() {
        return panes.read(0, reader -> reader.latest(ticker, 60_000));
    }

    /** A page of the latest windows of 1,000 tickers. */
    @Benchmark
    public Optional<?> latestOfAThousand() {
        return panes.read(0, reader -> reader.latestOfAll(Optional.empty(), 1_000, 5_000));
    }
}
