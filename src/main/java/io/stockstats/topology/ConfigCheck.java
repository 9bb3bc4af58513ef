package io.stockstats.topology;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.stockstats.stats.Ranking;
import io.stockstats.wire.TopicsConfig;
import io.stockstats.wire.TradesConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings that cannot work together, or at all, are refused at start: all of them at once, by name. */
final class ConfigCheck {

    private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

    /** A trade changes size/advance windows, each merged from as many panes: more than this is a mistake. */
    private static final long MOST_PANES_PER_WINDOW = 1_000;

    private static final long LEAST_STORE_MEMORY = 8L << 20;
    private static final long MOST_STORE_MEMORY = 1L << 40;
    private static final int LONGEST_TOP_LIST = 100;

    private static final Pattern INSTANCE_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,200}");

    /** A name, an IPv4 address, or an IPv6 address in brackets; and a port. */
    private static final Pattern ADDRESS = Pattern.compile("(?:[a-zA-Z0-9._-]+|\\[[0-9a-fA-F:.%]+]):([0-9]{1,5})");

    private static final int HIGHEST_PORT = 65_535;

    private static final Duration LONGEST = Duration.ofDays(36_525);

    private final List<String> faults = new ArrayList<>();

    private ConfigCheck() {}

    /**
     * Checks everything that the topology is built from.
     *
     * @param address under which other instances reach this one
     * @throws ConfigurationException with one line for each fault
     */
    static void check(
            StatsConfig stats,
            WindowConfig window,
            TradesConfig trades,
            TopicsConfig topics,
            TopConfig top,
            InstanceConfig instance,
            String address) {
        ConfigCheck check = new ConfigCheck();
        check.lengths(stats, window, trades, top);
        check.refuse();
        check.window(window);
        check.trades(trades, window);
        check.topics(topics);
        check.top(top, window);
        check.instance(instance, address);
        check.require(
                !stats.emitInterval().isNegative(),
                "stockstats.emit-interval must not be negative, and is ",
                stats.emitInterval());
        check.require(
                stats.storeMemory().asLongValue() >= LEAST_STORE_MEMORY
                        && stats.storeMemory().asLongValue() <= MOST_STORE_MEMORY,
                "stockstats.store-memory must be from 8 MiB (8M) to 1 TiB (1T), and is, in bytes, ",
                stats.storeMemory().asLongValue());
        check.refuse();
    }

    private void refuse() {
        if (!faults.isEmpty()) {
            throw new ConfigurationException("Configuration refused: " + String.join("; ", faults));
        }
    }

    /** Arithmetic in milliseconds must not overflow, not even where it is checked. */
    private void lengths(StatsConfig stats, WindowConfig window, TradesConfig trades, TopConfig top) {
        Map<String, Duration> durations = new LinkedHashMap<>();
        durations.put("stockstats.window.size", window.size());
        durations.put("stockstats.window.advance", window.advance());
        durations.put("stockstats.window.grace", window.grace());
        durations.put("stockstats.window.retention", window.retention());
        window.idle().ifPresent(idle -> durations.put("stockstats.window.idle", idle));
        durations.put("stockstats.emit-interval", stats.emitInterval());
        durations.put("stockstats.trades.max-future", trades.maxFuture());
        durations.put("stockstats.top.window", top.window());
        durations.forEach((name, value) -> require(
                value.abs().compareTo(LONGEST) <= 0, name + " must be at most " + LONGEST + ", and is ", value));
    }

    private void window(WindowConfig window) {
        Map<String, Duration> durations = new LinkedHashMap<>();
        durations.put("stockstats.window.size", window.size());
        durations.put("stockstats.window.advance", window.advance());
        durations.put("stockstats.window.grace", window.grace());
        durations.put("stockstats.window.retention", window.retention());
        durations.forEach((name, value) -> require(
                value.equals(Duration.ofMillis(value.toMillis())),
                name + " must be whole milliseconds, and is ",
                value));
        long size = window.size().toMillis();
        long advance = window.advance().toMillis();
        require(advance > 0, "stockstats.window.advance must be at least 1 ms, and is ", window.advance());
        if (advance > 0) {
            require(
                    size > 0 && size % advance == 0,
                    "stockstats.window.size must be a multiple of stockstats.window.advance (" + window.advance()
                            + "), and is ",
                    window.size());
            require(
                    size / advance <= MOST_PANES_PER_WINDOW,
                    "stockstats.window.size must be at most " + MOST_PANES_PER_WINDOW
                            + " times stockstats.window.advance (" + window.advance() + "), and is ",
                    window.size());
        }
        require(!window.grace().isNegative(), "stockstats.window.grace must not be negative, and is ", window.grace());
        require(
                window.retention().compareTo(window.size().plus(window.grace())) >= 0,
                "stockstats.window.retention must be at least stockstats.window.size plus stockstats.window.grace ("
                        + window.size().plus(window.grace()) + "), and is ",
                window.retention());
        window.idle()
                .ifPresent(idle -> require(
                        idle.toMillis() > 0, "stockstats.window.idle must be at least 1 ms, or absent, and is ", idle));
    }

    private void trades(TradesConfig trades, WindowConfig window) {
        require(
                !trades.maxFuture().isNegative() && trades.maxFuture().compareTo(window.grace()) < 0,
                "stockstats.trades.max-future must be smaller than stockstats.window.grace (" + window.grace()
                        + "), so that one fast clock cannot make the others' trades late, and is ",
                trades.maxFuture());
        require(
                !trades.earliest().isBefore(Instant.EPOCH),
                "stockstats.trades.earliest must not be before the epoch, and is ",
                trades.earliest());
    }

    private void instance(InstanceConfig instance, String address) {
        instance.name()
                .ifPresent(name -> require(
                        INSTANCE_NAME.matcher(name).matches() && !name.equals(".") && !name.equals(".."),
                        "stockstats.instance.name must be 1 to 200 letters, digits, '.', '_' or '-', and is ",
                        name));
        Matcher hostAndPort = ADDRESS.matcher(address);
        require(
                // Port 0, any that is free, is for an instance that is alone.
                hostAndPort.matches() && Integer.parseInt(hostAndPort.group(1)) <= HIGHEST_PORT,
                "quarkus.kafka-streams.application-server must be host:port, under which the other instances reach this"
                        + " one, and is ",
                address);
    }

    private void topics(TopicsConfig topics) {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("stockstats.topics.trades", topics.trades());
        names.put("stockstats.topics.output", topics.output());
        names.put("stockstats.topics.rejected", topics.rejected());
        names.put("stockstats.topics.top", topics.top());
        Map<String, String> taken = new LinkedHashMap<>();
        names.forEach((property, topic) -> {
            require(
                    TOPIC_NAME.matcher(topic).matches() && !topic.equals(".") && !topic.equals(".."),
                    property + " must be a legal topic name (letters, digits, '.', '_' and '-'), and is ",
                    topic);
            String other = taken.putIfAbsent(topic, property);
            require(other == null, property + " must not be the same topic as " + other + ", and is ", topic);
        });
        require(
                topics.partitions() > 0,
                "stockstats.topics.partitions must be at least 1, and is ",
                topics.partitions());
        require(
                topics.replication() > 0 || topics.replication() == -1,
                "stockstats.topics.replication must be at least 1, or -1 for the broker's default, and is ",
                topics.replication());
    }

    private void top(TopConfig top, WindowConfig window) {
        List<String> figures =
                Arrays.stream(Ranking.By.values()).map(Ranking.By::label).toList();
        require(
                figures.contains(top.by()),
                "stockstats.top.by must be one of " + String.join(", ", figures) + ", and is ",
                top.by());
        require(
                top.order().equals("asc") || top.order().equals("desc"),
                "stockstats.top.order must be asc or desc, and is ",
                top.order());
        require(
                top.n() >= 1 && top.n() <= LONGEST_TOP_LIST,
                "stockstats.top.n must be 1 to " + LONGEST_TOP_LIST + ", and is ",
                top.n());
        require(top.window().toMillis() > 0, "stockstats.top.window must be at least 1 ms, and is ", top.window());
        long advance = window.advance().toMillis();
        // The default of lists that nobody wants may not fit windows that somebody does.
        if (top.enabled() && advance > 0) {
            require(
                    top.window().equals(Duration.ofMillis(top.window().toMillis()))
                            && top.window().toMillis() % advance == 0,
                    "stockstats.top.window must be a multiple of stockstats.window.advance (" + window.advance()
                            + "), and is ",
                    top.window());
            require(
                    top.window().compareTo(window.retention()) <= 0,
                    "stockstats.top.window must be at most stockstats.window.retention (" + window.retention()
                            + "), and is ",
                    top.window());
        }
    }

    private void require(boolean condition, String rule, Object value) {
        if (!condition) {
            faults.add(rule + value);
        }
    }
}
