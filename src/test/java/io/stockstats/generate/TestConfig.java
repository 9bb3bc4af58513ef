package io.stockstats.generate;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** A configuration with the defaults, of which a test changes what it is about. */
final class TestConfig implements GeneratorConfig {

    private double rate = 10;
    private List<String> tickers = List.of("MMM", "ABT", "ABBV", "ACN", "ATVI", "AYI", "ADBE", "AAP", "AES", "AET");
    private double startPrice = 5000;
    private double step = 5;
    private long maxSize = 99;
    private double lateShare;
    private Duration lateBy = Duration.ofSeconds(10);
    private double badShare;

    static TestConfig defaults() {
        return new TestConfig();
    }

    TestConfig rate(double value) {
        rate = value;
        return this;
    }

    TestConfig tickers(String... values) {
        tickers = List.of(values);
        return this;
    }

    TestConfig startPrice(double value) {
        startPrice = value;
        return this;
    }

    TestConfig step(double value) {
        step = value;
        return this;
    }

    TestConfig maxSize(long value) {
        maxSize = value;
        return this;
    }

    TestConfig lateShare(double value) {
        lateShare = value;
        return this;
    }

    TestConfig lateBy(Duration value) {
        lateBy = value;
        return this;
    }

    TestConfig badShare(double value) {
        badShare = value;
        return this;
    }

    @Override
    public boolean enabled() {
        return true;
    }

    @Override
    public double rate() {
        return rate;
    }

    @Override
    public List<String> tickers() {
        return tickers;
    }

    @Override
    public double startPrice() {
        return startPrice;
    }

    @Override
    public double step() {
        return step;
    }

    @Override
    public long maxSize() {
        return maxSize;
    }

    @Override
    public double lateShare() {
        return lateShare;
    }

    @Override
    public Duration lateBy() {
        return lateBy;
    }

    @Override
    public double badShare() {
        return badShare;
    }

    @Override
    public OptionalLong seed() {
        return OptionalLong.empty();
    }
}
