package io.stockstats.it;

import java.util.List;

/**
 * The names that one test's instances share, so that tests can share a broker.
 *
 * @param trades the topic of trades
 * @param output the topic of windows
 * @param rejected the topic of records that are not trades
 * @param application the Kafka Streams application id
 */
record Topics(String trades, String output, String rejected, String application) {

    static Topics of(String test) {
        return new Topics("stocks-" + test, "output-" + test, "rejected-" + test, "stockstats-" + test);
    }

    List<String> all() {
        return List.of(trades, output, rejected);
    }

    String changelog() {
        return application + "-panes-changelog";
    }
}
