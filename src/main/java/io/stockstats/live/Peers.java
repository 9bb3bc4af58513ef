package io.stockstats.live;

import io.stockstats.store.InstanceAddress;
import java.util.Set;

/** The other instances, as the stream's own metadata has them; never as a request says. */
interface Peers {

    /** Where they are now. Asked about once a second while somebody watches. */
    View now();

    /**
     * Where the other instances are.
     *
     * @param addresses where each answers others; without this instance
     * @param version equal to the one before as long as every partition stays where it is
     */
    record View(Set<InstanceAddress> addresses, Object version) {}
}
