package io.stockstats.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.trade.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.kafka.common.utils.Bytes;

class PaneKeyTest {

    private static final Comparator<PaneKey> BY_TICKER_AND_TIME = Comparator.comparing(
                    (PaneKey key) -> codePoints(key.ticker()), Arrays::compare)
            .thenComparingLong(PaneKey::start);

    @Property
    void bytesSortByTickerInCodePointOrderAndThenByTime(@ForAll("keys") PaneKey a, @ForAll("keys") PaneKey b) {
        // When
        int ofBytes = Bytes.wrap(a.bytes()).compareTo(Bytes.wrap(b.bytes()));
        int ofTickers = a.ticker().compareTo(b.ticker());

        // Then
        assertEquals(Integer.signum(BY_TICKER_AND_TIME.compare(a, b)), Integer.signum(ofBytes));
        assertEquals(
                Integer.signum(Arrays.compare(codePoints(a.ticker()), codePoints(b.ticker()))),
                Integer.signum(ofTickers));
    }

    @Property
    void aKeyIsReadAsItWasWritten(@ForAll("keys") PaneKey key) {
        // Given
        byte[] bytes = key.bytes();

        // When
        PaneKey read = PaneKey.parse(bytes);

        // Then
        assertEquals(key, read);
        assertEquals(key.start(), PaneKey.startOf(bytes));
    }

    @Property
    void theBoundsHoldEveryKeyAndSeparateTickers(@ForAll("keys") PaneKey a, @ForAll("keys") PaneKey b) {
        // Given
        Bytes key = Bytes.wrap(a.bytes());
        Bytes afterB = Bytes.wrap(PaneKey.lowestAfter(b.ticker()));

        // Then
        assertTrue(Bytes.wrap(PaneKey.lowest()).compareTo(key) < 0);
        assertTrue(Bytes.wrap(PaneKey.highest()).compareTo(key) > 0);
        assertEquals(a.ticker().compareTo(b.ticker()) > 0, key.compareTo(afterB) >= 0);
    }

    @Example
    void oneTickersRangeHoldsNoOtherTickersPanes() {
        // Given: tickers that begin with one another, and times whose bytes could be mistaken for characters
        long[] times = {0, 0x2F2F2F2F2F2F2F2FL, 0x4242424242424242L, Long.MAX_VALUE};
        List<Ticker> tickers = new ArrayList<>();
        for (String symbol : List.of("A", "AB", "A/B", "A/", "AA", "A!", "B", "币", "币安", "𝒳", "\uFFFD")) {
            tickers.add(new Ticker(symbol));
        }

        for (Ticker ticker : tickers) {
            Bytes from = Bytes.wrap(new PaneKey(ticker, 0).bytes());
            Bytes to = Bytes.wrap(new PaneKey(ticker, Long.MAX_VALUE).bytes());
            for (Ticker other : tickers) {
                for (long time : times) {
                    // When
                    Bytes key = Bytes.wrap(new PaneKey(other, time).bytes());
                    boolean within = from.compareTo(key) <= 0 && key.compareTo(to) <= 0;

                    // Then
                    assertEquals(other.equals(ticker), within, () -> ticker + " against " + other + " at " + time);
                }
            }
        }
    }

    @Provide
    Arbitrary<PaneKey> keys() {
        Arbitrary<String> symbols = Arbitraries.of(
                        "A",
                        "B",
                        "/",
                        "!",
                        "~",
                        "é",
                        "\u07FF",
                        "\u0800",
                        "币",
                        "\uD7FF",
                        "\uE000",
                        "\uFFFD",
                        "𐀀",
                        "𝒳",
                        "\uDBFF\uDFFD")
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(parts -> String.join("", parts));
        Arbitrary<Long> starts = Arbitraries.oneOf(
                Arbitraries.longs().between(0, Long.MAX_VALUE),
                Arbitraries.longs().between(0, 300));
        return Combinators.combine(symbols, starts).as((symbol, start) -> new PaneKey(new Ticker(symbol), start));
    }

    private static int[] codePoints(Ticker ticker) {
        return ticker.symbol().codePoints().toArray();
    }
}
