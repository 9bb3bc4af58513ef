package io.stockstats.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
        Instance instance = BENCH.instance(BENCH.freshTopics(3)).start().awaitReady();

        Matcher started = STARTED.matcher(instance.log());
        assertTrue(started.find(), instance::log);
        double seconds = Double.parseDouble(started.group(1));
        long mebibytes = instance.residentKibibytes() >> 10;
        boolean isNative = Instance.isNative();

        System.out.printf(
                "%s: started in %.3f s, %d MiB resident when idle (targets for the native executable: %.3f s, %d MiB)%n",
                isNative ? "native executable" : "JVM", seconds, mebibytes, NATIVE_SECONDS, NATIVE_MEBIBYTES);
        assertTrue(!isNative || seconds < NATIVE_SECONDS, "started in " + seconds + " s");
        assertTrue(!isNative || mebibytes < NATIVE_MEBIBYTES, mebibytes + " MiB");
    }
}
