package io.stockstats.topology;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.streams.state.RocksDBConfigSetter;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBufferManager;

/**
 * Gives all of the process's RocksDB stores together the memory of {@code stockstats.store-memory}: blocks that were
 * read, their indexes and filters, and what is not yet written to files. By itself each store takes 50 MB for blocks and
 * 48 MB for writes, however many there are. Kafka makes one of these per store, by its name.
 */
@RegisterForReflection
public final class BoundedMemory implements RocksDBConfigSetter {

    /** The setting's name among those of Kafka Streams. */
    static final String SIZE = "stockstats.store-memory";

    /** Half of it may be taken by writes before they go to files. */
    private static final int WRITES_SHARE = 2;

    private static final int ANY_SHARDS = -1;
    private static final double FOR_INDEXES = 0.1;

    /** By size, which is the same for all: Kafka makes the setters, and nothing else could be given to them. */
    private static final Map<Long, Shared> SHARED = new ConcurrentHashMap<>();

    /** What all stores share; it lives as long as the process. */
    private record Shared(Cache cache, WriteBufferManager writes) {
        static Shared of(long bytes) {
            RocksDB.loadLibrary();
            Cache cache = new LRUCache(bytes, ANY_SHARDS, false, FOR_INDEXES);
            return new Shared(cache, new WriteBufferManager(bytes / WRITES_SHARE, cache));
        }
    }

    @Override
    public void setConfig(String storeName, Options options, Map<String, Object> configs) {
        long bytes = new MemorySizeConverter()
                .convert(Objects.requireNonNull(configs.get(SIZE), SIZE).toString())
                .asLongValue();
        Shared all = SHARED.computeIfAbsent(bytes, Shared::of);
        BlockBasedTableConfig table = (BlockBasedTableConfig) options.tableFormatConfig();
        table.setBlockCache(all.cache());
        table.setCacheIndexAndFilterBlocks(true);
        options.setTableFormatConfig(table);
        options.setWriteBufferManager(all.writes());
    }

    @Override
    public void close(String storeName, Options options) {
        // What is shared is closed with the process: other stores use it.
    }
}
