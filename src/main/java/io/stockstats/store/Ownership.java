package io.stockstats.store;

import java.util.Map;
import java.util.Set;

/**
 * Which instance holds which partition's panes, as the group agreed last. Whoever holds a partition no more says so
 * when asked.
 *
 * @param self this instance
 * @param active the instance that processes each partition
 * @param standbys the instances that keep a copy of each partition
 * @param peers all other instances
 */
public record Ownership(
        InstanceAddress self,
        Map<Integer, InstanceAddress> active,
        Map<Integer, Set<InstanceAddress>> standbys,
        Set<InstanceAddress> peers) {

    /** Of an instance that knows of no other, and of no partition. */
    public static Ownership none(InstanceAddress self) {
        return new Ownership(self, Map.of(), Map.of(), Set.of());
    }
}
