package io.stockstats.wire;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;

/** The names of the topics, and what to do when they are missing. */
@ConfigMapping(prefix = "stockstats.topics")
public interface TopicsConfig {

    /** Trades, keyed by ticker. Expected cleanup policy: {@code delete}. */
    @WithDefault("stocks")
    String trades();

    /** Windows, keyed by ticker and window start. Expected cleanup policy: {@code compact,delete}. */
    @WithDefault("stockstats-output")
    String output();

    /** Top lists, keyed by window start, where these are switched on. Expected cleanup policy: {@code compact,delete}. */
    @WithDefault("stockstats-top")
    String top();

    /** Records that are not trades, untouched. Expected cleanup policy: {@code delete}. */
    @WithDefault("stocks-rejected")
    String rejected();

    /** Whether to create missing topics. When not, the service waits until they exist. */
    @WithDefault("false")
    @WithConverter(TrueOrFalse.class)
    boolean create();

    /** Partitions of topics that the service creates, at least 1. */
    @WithDefault("6")
    int partitions();

    /** Replication factor of topics that the service creates; -1 takes the broker's default. */
    @WithDefault("-1")
    short replication();
}
