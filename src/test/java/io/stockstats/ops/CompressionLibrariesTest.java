package io.stockstats.ops;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionLibrariesTest {

    @ParameterizedTest
    @ValueSource(strings = {"amd64", "aarch64"})
    void liesWhereTheJarsHaveIt(String arch) {
        CompressionLibraries.resources("Linux", arch)
                .forEach(resource -> assertNotNull(getClass().getResource(resource), resource));
    }
}
