package io.stockstats.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {

    private static final TopicPartition FIRST = new TopicPartition("stockstats-panes-changelog", 0);
    private static final TopicPartition SECOND = new TopicPartition("stockstats-panes-changelog", 1);
    private static final Logger LOGGER = Logger.getLogger(RestoreProgress.class.getName());

    private final List<String> lines = new ArrayList<>();
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= Level.INFO.intValue()) {
                lines.add(ExtLogRecord.wrap(line).getFormattedMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private long seconds = 100;
    private final RestoreProgress progress = new RestoreProgress(() -> seconds * 1_000_000_000L);

    @BeforeEach
    void listen() {
        LOGGER.addHandler(log);
    }

    @AfterEach
    void noLonger() {
        LOGGER.removeHandler(log);
    }

    @Test
    void what_remains_is_what_lies_between_the_offsets_less_what_came() {
        progress.onRestoreStart(FIRST, "panes", 100, 1_100);
        progress.onRestoreStart(SECOND, "panes", 0, 50);

        progress.onBatchRestored(FIRST, "panes", 400, 300);
        progress.onBatchRestored(FIRST, "panes", 600, 200);

        assertEquals(Map.of(0, 500L, 1, 50L), progress.remaining());
    }

    @Test
    void another_stores_partitions_are_not_those_of_panes() {
        TopicPartition other = new TopicPartition("stockstats-top-lists-changelog", 0);
        progress.onRestoreStart(FIRST, "panes", 0, 100);

        progress.onRestoreStart(other, "top-lists", 0, 7);
        progress.onBatchRestored(other, "top-lists", 5, 5);
        progress.onRestoreEnd(other, "top-lists", 7);
        progress.onRestoreSuspended(other, "top-lists", 7);

        assertEquals(Map.of(0, 100L), progress.remaining());
    }

    @Test
    void nothing_remains_at_the_end_although_compaction_left_gaps() {
        progress.onRestoreStart(FIRST, "panes", 0, 1_000);
        progress.onBatchRestored(FIRST, "panes", 999, 10);

        progress.onRestoreEnd(FIRST, "panes", 10);

        assertEquals(Map.of(0, 0L), progress.remaining());
    }

    @Test
    void what_remains_is_never_negative() {
        progress.onRestoreStart(FIRST, "panes", 1_000, 900);
        progress.onRestoreStart(SECOND, "panes", 0, 10);

        progress.onBatchRestored(SECOND, "panes", 25, 25);

        assertEquals(Map.of(0, 0L, 1, 0L), progress.remaining());
    }

    @Test
    void a_partition_that_goes_elsewhere_is_forgotten() {
        progress.onRestoreStart(FIRST, "panes", 0, 1_000);

        progress.onRestoreSuspended(FIRST, "panes", 0);
        progress.onBatchRestored(FIRST, "panes", 10, 10);
        progress.onRestoreEnd(FIRST, "panes", 10);

        assertEquals(Map.of(), progress.remaining());
    }

    @Test
    void the_log_tells_the_beginning_the_end_and_between_them_one_line_in_ten_seconds() {
        progress.onRestoreStart(FIRST, "panes", 0, 1_000);
        seconds += 9;
        progress.onBatchRestored(FIRST, "panes", 99, 100);
        seconds += 1;
        progress.onBatchRestored(FIRST, "panes", 199, 100);
        seconds += 9;
        progress.onBatchRestored(FIRST, "panes", 299, 100);
        seconds += 1;
        progress.onBatchRestored(FIRST, "panes", 399, 100);
        progress.onRestoreEnd(FIRST, "panes", 400);

        assertEquals(
                List.of(
                        "restore begins: partition=0 records=1000 at most",
                        "restoring: partition=0 records=200 of at most 1000 (20 %)",
                        "restoring: partition=0 records=400 of at most 1000 (40 %)",
                        "restore done: partition=0 records=400 ms=20000"),
                lines);
    }

    @Test
    void a_restore_of_nothing_is_not_worth_a_line() {
        progress.onRestoreStart(FIRST, "panes", 7, 7);
        progress.onRestoreEnd(FIRST, "panes", 0);

        assertEquals(List.of(), lines);
    }
}
