package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How soon the packaged application starts, and how much memory it takes when nothing happens. */
class FootprintIT {

    private static final Pattern STARTED = Pattern.compile("started in ([0-9.]+)s");
    private static final double NATIVE_SECONDS = 0.150;
    private static final long NATIVE_MEBIBYTES = 130;

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @Test
    void startsSoonAndTakesLittle() throws IOException {
        assumeTrue(Instance.isNative(), "what is promised is promised of the native executable");
        Instance instance = BENCH.instance(BENCH.freshTopics(3)).start().awaitReady();

        Matcher started = STARTED.matcher(instance.log());
        assertTrue(started.find(), instance::log);
        double seconds = Double.parseDouble(started.group(1));
        long mebibytes = instance.residentKibibytes() >> 10;
        System.out.printf(
                "native executable: started in %.3f s, %d MiB resident when idle (targets: %.3f s, %d MiB)%n",
                seconds, mebibytes, NATIVE_SECONDS, NATIVE_MEBIBYTES);
        assertTrue(seconds < NATIVE_SECONDS, "started in " + seconds + " s");
        assertTrue(mebibytes < NATIVE_MEBIBYTES, mebibytes + " MiB");
    }
}
