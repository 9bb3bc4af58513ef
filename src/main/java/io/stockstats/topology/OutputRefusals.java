package io.stockstats.topology;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.jboss.logging.Logger;

/**
 * What to do when a topic refuses a record. One that is too large, because the topic's limit was lowered since it was
 * last looked at, is given up with an ERROR line rather than let it stop all others; anything else fails the task, which
 * is started again.
 */
@RegisterForReflection
public final class OutputRefusals implements ProductionExceptionHandler {

    private static final Logger LOG = Logger.getLogger(OutputRefusals.class);

    @Override
    public ProductionExceptionHandlerResponse handle(
            ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
        if (!(exception instanceof RecordTooLargeException)) {
            return ProductionExceptionHandlerResponse.FAIL;
        }
        LOG.errorf(
                "topic %s refuses a record as too large, it is given up: it came from %s-%d at offset %d; raise the"
                        + " topic's max.message.bytes",
                record.topic(), context.topic(), context.partition(), context.offset());
        return ProductionExceptionHandlerResponse.CONTINUE;
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure.
    }
}
