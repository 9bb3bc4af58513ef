package io.stockstats.generate;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class RefusedOneByOneTest {

    private static final String CONNECTOR = "io.smallrye.reactive.messaging.kafka";

    private final RefusedOneByOne filter = new RefusedOneByOne();

    @Test
    void keepsOutWhatTheChannelSaysOfEachTrade() {
        assertFalse(filter.isLoggable(line(CONNECTOR, "SRMSG18206: Unable to write", "generated-trades", "stocks")));
        assertFalse(filter.isLoggable(line(CONNECTOR, "SRMSG18212: Message", "message", "generated-trades", "stocks")));
    }

    @Test
    void letsEverythingElseThrough() {
        assertTrue(filter.isLoggable(line(CONNECTOR, "SRMSG18206: Unable to write", "other", "stocks")));
        assertTrue(filter.isLoggable(line(CONNECTOR, "SRMSG18261: Unable to initialize", "generated-trades")));
        assertTrue(filter.isLoggable(line("io.other", "SRMSG18206: Unable to write", "generated-trades")));
        assertTrue(filter.isLoggable(line(CONNECTOR, "SRMSG18206: Unable to write")));
    }

    private static LogRecord line(String logger, String message, Object... parameters) {
        LogRecord line = new LogRecord(Level.SEVERE, message);
        line.setLoggerName(logger);
        line.setParameters(parameters.length == 0 ? null : parameters);
        return line;
    }
}
