package io.stockstats.generate;

import io.quarkus.logging.LoggingFilter;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Keeps out of the log the two errors that the channel writes for each generated trade that it could not send: the pump
 * writes one line when sending begins to fail. (Quarkus's own {@code quarkus.log.filter} leaves errors alone.)
 */
@LoggingFilter(name = "refused-one-by-one")
public final class RefusedOneByOne implements Filter {

    private static final String LOGGER = "io.smallrye.reactive.messaging.kafka";
    private static final List<String> UNABLE_TO_WRITE_AND_NACKING = List.of("SRMSG18206:", "SRMSG18212:");

    @Override
    public boolean isLoggable(LogRecord line) {
        return !(LOGGER.equals(line.getLoggerName()) && isOfOneRecord(line) && isOfTheChannel(line));
    }

    private static boolean isOfOneRecord(LogRecord line) {
        return UNABLE_TO_WRITE_AND_NACKING.stream().anyMatch(line.getMessage()::startsWith);
    }

    private static boolean isOfTheChannel(LogRecord line) {
        Object[] parameters = line.getParameters();
        return parameters != null && Arrays.asList(parameters).contains(KafkaOutlet.CHANNEL);
    }
}
