package io.stockstats.query;

import io.stockstats.store.Copy;
import io.stockstats.store.InstanceAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The other instances, as they can be asked. */
interface Peers {

    /**
     * Asks one instance about what it has itself.
     *
     * @return what it says of those of the partitions that it has; nothing when it does not answer within the time, or
     *     not in a way that can be understood. Never fails.
     */
    CompletableFuture<List<Copy<Slice>>> ask(
            InstanceAddress peer, Question question, Collection<Integer> partitions, Duration within);
}
