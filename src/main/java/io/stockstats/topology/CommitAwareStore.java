package io.stockstats.topology;

import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.WrappedStateStore;

/**
 * A key-value store that says when Kafka Streams is about to commit, so that its writer can let writes wait until then.
 *
 * <p>Kafka Streams has no public call for that moment. Its own caches are told of it by a class that is not public,
 * {@link WrappedStateStore}: each task calls {@code flushCache} before it takes note of the offsets to commit, and
 * before it sees to it that the broker has all that was written. This is the only class that relies on it;
 * {@code CommitOrderIT} fails if that ever changes. See {@code src/docs/adr/0013}.
 *
 * <p>To queries it is the store; the writer writes to {@link #wrapped()}.
 */
final class CommitAwareStore extends WrappedStateStore<KeyValueStore<Bytes, byte[]>, Bytes, byte[]>
        implements ReadOnlyKeyValueStore<Bytes, byte[]> {

    private Runnable beforeCommit = () -> {};

    private CommitAwareStore(KeyValueStore<Bytes, byte[]> store) {
        super(store);
    }

    /** Builds stores like {@code inner}, which are aware of commits. */
    static StoreBuilder<CommitAwareStore> builder(StoreBuilder<KeyValueStore<Bytes, byte[]>> inner) {
        return new Builder(inner);
    }

    /** Has {@code write} called before each commit from now on, by the thread that processes. */
    void beforeCommit(Runnable write) {
        beforeCommit = write;
    }

    @Override
    public void flushCache() {
        beforeCommit.run();
        super.flushCache();
    }

    @Override
    public byte[] get(Bytes key) {
        return wrapped().get(key);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
        return wrapped().range(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> reverseRange(Bytes from, Bytes to) {
        return wrapped().reverseRange(from, to);
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all() {
        return wrapped().all();
    }

    @Override
    public long approximateNumEntries() {
        return wrapped().approximateNumEntries();
    }

    private record Builder(StoreBuilder<KeyValueStore<Bytes, byte[]>> inner) implements StoreBuilder<CommitAwareStore> {
        @Override
        public StoreBuilder<CommitAwareStore> withCachingEnabled() {
            return new Builder(inner.withCachingEnabled());
        }

        @Override
        public StoreBuilder<CommitAwareStore> withCachingDisabled() {
            return new Builder(inner.withCachingDisabled());
        }

        @Override
        public StoreBuilder<CommitAwareStore> withLoggingEnabled(Map<String, String> config) {
            return new Builder(inner.withLoggingEnabled(config));
        }

        @Override
        public StoreBuilder<CommitAwareStore> withLoggingDisabled() {
            return new Builder(inner.withLoggingDisabled());
        }

        @Override
        public CommitAwareStore build() {
            return new CommitAwareStore(inner.build());
        }

        @Override
        public Map<String, String> logConfig() {
            return inner.logConfig();
        }

        @Override
        public boolean loggingEnabled() {
            return inner.loggingEnabled();
        }

        @Override
        public String name() {
            return inner.name();
        }
    }
}
