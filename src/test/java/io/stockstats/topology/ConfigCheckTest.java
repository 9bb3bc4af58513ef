package io.stockstats.topology;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.stockstats.wire.TopicsConfig;
import io.stockstats.wire.TradesConfig;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigCheckTest {

    @Test
    void theDefaultsAreAccepted() {
        // When, Then
        assertDoesNotThrow(() -> check(Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "stockstats.window.size, PT5.5S",
        "stockstats.window.size, PT0S",
        "stockstats.window.size, PT-5S",
        "stockstats.window.size, PT1001S",
        "stockstats.window.size, PT5.0000001S",
        "stockstats.window.advance, PT0S",
        "stockstats.window.advance, PT-1S",
        "stockstats.window.advance, PT0.0001S",
        "stockstats.window.grace, PT-1S",
        "stockstats.window.retention, PT34.999S",
        "stockstats.window.retention, PT2562047788015215H",
        "stockstats.window.grace, PT2562047788015215H",
        "stockstats.window.idle, PT0S",
        "stockstats.window.idle, PT-1S",
        "stockstats.window.idle, PT2562047788015215H",
        "stockstats.emit-interval, PT-0.1S",
        "stockstats.store-memory, 7M",
        "stockstats.store-memory, 2T",
        "stockstats.emit-interval, PT2562047788015215H",
        "stockstats.trades.max-future, PT30S",
        "stockstats.trades.max-future, PT-1S",
        "stockstats.trades.max-future, PT2562047788015215H",
        "stockstats.trades.earliest, 1969-12-31T23:59:59Z",
        "stockstats.topics.trades, a/b",
        "stockstats.topics.output, stocks",
        "stockstats.topics.rejected, stockstats-output",
        "stockstats.topics.rejected, ..",
        "stockstats.topics.top, a/b",
        "stockstats.topics.top, stocks-rejected",
        "stockstats.top.by, price",
        "stockstats.top.by, MIN_PRICE",
        "stockstats.top.order, up",
        "stockstats.top.n, 0",
        "stockstats.top.n, 101",
        "stockstats.top.window, PT0S",
        "stockstats.top.window, PT-10S",
        "stockstats.top.window, PT2562047788015215H",
        "stockstats.topics.partitions, 0",
        "stockstats.instance.name, a/b",
        "stockstats.instance.name, ..",
        "quarkus.kafka-streams.application-server, nohost",
        "quarkus.kafka-streams.application-server, a:b",
        "quarkus.kafka-streams.application-server, h:99999",
        "quarkus.kafka-streams.application-server, http://h:80",
        "quarkus.kafka-streams.application-server, ::1:80",
        "stockstats.topics.replication, 0"
    })
    void whatCannotWorkIsRefusedInOneLineThatNamesTheProperty(String property, String value) {
        // When
        ConfigurationException refused =
                assertThrows(ConfigurationException.class, () -> check(Map.of(property, value)));

        // Then
        assertTrue(refused.toString().contains(property + " must"), refused::toString);
        assertEquals(1, refused.toString().lines().count(), refused::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT10.5S", "PT10.0000001S", "PT15M1S"})
    void aTopListsWindowMustFitTheOthersWhereListsAreWritten(String window) {
        // When
        ConfigurationException refused = assertThrows(
                ConfigurationException.class,
                () -> check(Map.of("stockstats.top.enabled", "true", "stockstats.top.window", window)));

        // Then
        assertTrue(refused.toString().contains("stockstats.top.window must"), refused::toString);
        assertDoesNotThrow(() -> check(Map.of("stockstats.top.window", window)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"volume", "minPrice", "maxPrice", "avgPrice", "vwap", "turnover", "countTrades", "changePercent"
            })
    void topListsMayBeByEachFigureThatHttpKnows(String by) {
        // When, Then
        assertDoesNotThrow(() -> check(Map.of(
                "stockstats.top.enabled",
                "true",
                "stockstats.top.by",
                by,
                "stockstats.top.order",
                "desc",
                "stockstats.top.n",
                "100",
                "stockstats.top.window",
                "PT15M")));
    }

    @Test
    void allFaultsAreNamedAtOnce() {
        // When
        ConfigurationException refused = assertThrows(
                ConfigurationException.class,
                () -> check(Map.of(
                        "stockstats.window.size", "PT5.5S",
                        "stockstats.trades.max-future", "PT31S",
                        "stockstats.topics.partitions", "-1")));

        // Then
        assertTrue(refused.toString().contains("stockstats.window.size must"), refused::toString);
        assertTrue(refused.toString().contains("stockstats.trades.max-future must"), refused::toString);
        assertTrue(refused.toString().contains("stockstats.topics.partitions must"), refused::toString);
    }

    private static void check(Map<String, String> changed) {
        SmallRyeConfig config = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(new HashMap<>(changed), "test", 100))
                .withConverter(MemorySize.class, 100, new MemorySizeConverter())
                .withMapping(StatsConfig.class)
                .withMapping(WindowConfig.class)
                .withMapping(TradesConfig.class)
                .withMapping(TopicsConfig.class)
                .withMapping(TopConfig.class)
                .withMapping(InstanceConfig.class)
                .withMappingIgnore("stockstats.**")
                .build();
        ConfigCheck.check(
                config.getConfigMapping(StatsConfig.class),
                config.getConfigMapping(WindowConfig.class),
                config.getConfigMapping(TradesConfig.class),
                config.getConfigMapping(TopicsConfig.class),
                config.getConfigMapping(TopConfig.class),
                config.getConfigMapping(InstanceConfig.class),
                changed.getOrDefault("quarkus.kafka-streams.application-server", "localhost:8080"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8080",
                "localhost:0",
                "stockstats-0.stockstats:1",
                "10.0.0.1:65535",
                "[::1]:8080",
                "my_host:80"
            })
    void anAddressIsAHostAndAPort(String address) {
        assertDoesNotThrow(() -> check(Map.of("quarkus.kafka-streams.application-server", address)));
    }
}
