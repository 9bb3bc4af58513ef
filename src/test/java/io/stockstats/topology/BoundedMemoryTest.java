package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class BoundedMemoryTest {

    private static final int STORES = 6;
    private static final long BYTES = 16L << 20;

    @Test
    void allStoresTogetherTakeNoMoreThanIsSet(@TempDir Path folder) throws RocksDBException {
        BoundedMemory setter = new BoundedMemory();
        SplittableRandom random = new SplittableRandom(1);
        List<RocksDB> stores = new ArrayList<>();
        List<Options> options = new ArrayList<>();
        try {
            for (int i = 0; i < STORES; i++) {
                // Given a store as Kafka Streams makes them
                Options each = new Options()
                        .setCreateIfMissing(true)
                        .setCompressionType(CompressionType.NO_COMPRESSION)
                        .setTableFormatConfig(new BlockBasedTableConfig());
                setter.setConfig("store", each, Map.of(BoundedMemory.SIZE, "16M"));
                options.add(each);
                stores.add(RocksDB.open(each, folder + File.separator + i));

                // When more is written to it than all may take, and read
                byte[] value = new byte[1_000];
                for (int key = 0; key < 20_000; key++) {
                    random.nextBytes(value);
                    stores.get(i).put(("key" + key).getBytes(), value);
                }
                try (FlushOptions flush = new FlushOptions()) {
                    stores.get(i).flush(flush);
                }
                for (int key = 0; key < 20_000; key++) {
                    stores.get(i).get(("key" + key).getBytes());
                }

                // Then
                long writes = 0;
                for (RocksDB store : stores) {
                    writes += store.getLongProperty("rocksdb.cur-size-all-mem-tables");
                }
                long blocks = stores.get(0).getLongProperty("rocksdb.block-cache-usage");
                assertTrue(
                        blocks > BYTES / 4 && writes + blocks <= BYTES * 5 / 4,
                        i + 1 + " stores: " + writes + " bytes of writes, " + blocks + " of blocks");
            }
        } finally {
            stores.forEach(RocksDB::close);
            options.forEach(Options::close);
        }
    }
}
