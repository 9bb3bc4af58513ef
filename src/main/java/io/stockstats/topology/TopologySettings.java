package io.stockstats.topology;

import io.stockstats.stats.WindowRules;
import io.stockstats.wire.TradesConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * All that decides the topology's shape and behaviour.
 *
 * @param trades the topic of trades
 * @param output the topic of windows
 * @param rejected the topic of records that are not trades
 * @param rules the windows
 * @param idle how long a partition may be silent, by the wall clock, before its windows are closed; empty for ever
 * @param emit what the output topic gets
 * @param emitInterval the least time between two updates of one window
 * @param store where panes are kept
 * @param start where a new group starts reading trades
 * @param rekey whether trades are repartitioned by ticker first
 * @param top top lists as a stream; empty when there are none
 */
public record TopologySettings(
        String trades,
        String output,
        String rejected,
        WindowRules rules,
        Optional<Duration> idle,
        StatsConfig.Emit emit,
        Duration emitInterval,
        StatsConfig.Store store,
        TradesConfig.Start start,
        boolean rekey,
        Optional<TopSettings> top) {}
