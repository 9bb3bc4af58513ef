package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class GeneratorConfigCheckTest {

    @Test
    void takesTheBoundsThemselves() {
        GeneratorConfigCheck.check(TestConfig.defaults());
        GeneratorConfigCheck.check(TestConfig.defaults()
                .rate(0.001)
                .startPrice(0.01)
                .step(0)
                .maxSize(0)
                .lateShare(1)
                .badShare(1)
                .lateBy(Duration.ofNanos(1)));
        GeneratorConfigCheck.check(TestConfig.defaults()
                .rate(1e6)
                .startPrice(1e12)
                .step(1e12)
                .maxSize(1_000_000_000_000L)
                .lateBy(Duration.ofDays(3650)));
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of("rate", TestConfig.defaults().rate(0)),
                Arguments.of("rate", TestConfig.defaults().rate(-1)),
                Arguments.of("rate", TestConfig.defaults().rate(Double.NaN)),
                Arguments.of("rate", TestConfig.defaults().rate(Double.POSITIVE_INFINITY)),
                Arguments.of("tickers", TestConfig.defaults().tickers(new String[0])),
                Arguments.of("tickers", TestConfig.defaults().tickers("MMM", "A B")),
                Arguments.of("tickers", TestConfig.defaults().tickers("MMM", "ABT", "MMM")),
                Arguments.of("start-price", TestConfig.defaults().startPrice(0)),
                Arguments.of("start-price", TestConfig.defaults().startPrice(0.001)),
                Arguments.of("start-price", TestConfig.defaults().startPrice(1.005)),
                Arguments.of("start-price", TestConfig.defaults().startPrice(1e13)),
                Arguments.of("start-price", TestConfig.defaults().startPrice(Double.NaN)),
                Arguments.of("step", TestConfig.defaults().step(-0.01)),
                Arguments.of("step", TestConfig.defaults().step(0.005)),
                Arguments.of("step", TestConfig.defaults().step(Double.NaN)),
                Arguments.of("max-size", TestConfig.defaults().maxSize(-1)),
                Arguments.of("max-size", TestConfig.defaults().maxSize(Long.MAX_VALUE)),
                Arguments.of("late-share", TestConfig.defaults().lateShare(1.01)),
                Arguments.of("late-share", TestConfig.defaults().lateShare(Double.NaN)),
                Arguments.of("late-by", TestConfig.defaults().lateBy(Duration.ZERO)),
                Arguments.of("late-by", TestConfig.defaults().lateBy(Duration.ofDays(3651))),
                Arguments.of("bad-share", TestConfig.defaults().badShare(-0.01)));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void refusesWhatIsOutOfBoundsAndNamesTheProperty(String property, GeneratorConfig config) {
        ConfigurationException refusal =
                assertThrows(ConfigurationException.class, () -> GeneratorConfigCheck.check(config));

        String message = String.valueOf(refusal.getMessage());
        assertTrue(message.startsWith("stockstats.generator." + property + ": "), message);
        assertEquals(Set.of("stockstats.generator." + property), refusal.getConfigKeys());
    }
}
