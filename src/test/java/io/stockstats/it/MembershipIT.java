package io.stockstats.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the group knows of an instance that was stopped, and of two that bear one name. */
class MembershipIT {

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @ParameterizedTest
    @CsvSource({"stockstats-0, , 1", "stockstats-0, always, 0", ", , 0", ", never, 1"})
    void anInstanceThatIsStoppedLeavesItsGroupOrIsWaitedFor(String name, String leaveOnStop, int members) {
        // Given
        Topics topics = BENCH.freshTopics(1);
        // So long that whoever is missed only after it is still a member when the test looks.
        Instance.Builder builder = BENCH.instance(topics).with("kafka-streams.session.timeout.ms", "60000");
        if (name != null) {
            builder.with("stockstats.instance.name", name);
        }
        if (leaveOnStop != null) {
            builder.with("stockstats.leave-on-stop", leaveOnStop);
        }
        Instance instance = builder.start().awaitReady();
        assertEquals(1, members(topics));

        // When
        assertEquals(0, instance.terminate(Duration.ofSeconds(30)));

        // Then
        assertEquals(members, members(topics));
    }

    @Test
    void ofTwoThatBearOneNameTheEarlierEndsAndSaysWhy() {
        // Given
        Topics topics = BENCH.freshTopics(1);
        Instance earlier = BENCH.instance(topics)
                .with("stockstats.instance.name", "same")
                .start()
                .awaitReady();

        // When
        Instance later =
                BENCH.instance(topics).with("stockstats.instance.name", "same").start();

        // Then
        assertEquals(1, earlier.exitCode(Duration.ofSeconds(60)));
        assertTrue(earlier.log().contains("it has the same stockstats.instance.name"), earlier::log);
        later.awaitReady();
    }

    private static int members(Topics topics) {
        return BENCH.admin(admin -> Objects.requireNonNull(admin.describeConsumerGroups(List.of(topics.application()))
                        .all()
                        .get(30, SECONDS)
                        .get(topics.application()))
                .members()
                .size());
    }
}
