package io.stockstats.topology;

import io.stockstats.stats.TopRule;

/**
 * Top lists as a stream.
 *
 * @param topic the topic of top lists
 * @param rule which lists there are
 */
public record TopSettings(String topic, TopRule rule) {}
