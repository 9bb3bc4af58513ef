package io.stockstats.topology;

import io.smallrye.config.ConfigMapping;
import java.util.Optional;

/** Who this instance is. */
@ConfigMapping(prefix = "stockstats.instance")
public interface InstanceConfig {

    /**
     * A name that stays the same from one start to the next, and that no other instance has: a pod's in a StatefulSet. It
     * makes the instance a static member of its group: one that is back within the session timeout goes on with its
     * partitions as if nothing had been. Letters, digits, {@code .}, {@code _} and {@code -}. Absent: a name that is kept
     * in the state directory, and no static membership.
     */
    Optional<String> name();
}
