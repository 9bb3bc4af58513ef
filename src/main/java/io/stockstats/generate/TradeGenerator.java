package io.stockstats.generate;

import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes trades up: every ticker's price walks at random, and every ticker trades once per round.
 *
 * <p>Pure: the same configuration and seed, asked with the same instants, give the same records byte for byte. Late and
 * bad records are chosen apart from the market, so tickers, prices and sizes do not depend on the two shares. Not safe
 * for use by several threads.
 */
final class TradeGenerator {

    private static final long CENTS = 100;
    private static final long SMALLEST_CENTS = 1;
    private static final long LARGEST_CENTS = (long) (GeneratorConfigCheck.LARGEST_PRICE * CENTS);
    private static final Flaw[] FLAWS = Flaw.values();

    private final Listing[] round;
    private final long stepCents;
    private final long maxSize;
    private final double lateShare;
    private final long lateByNanos;
    private final double badShare;
    private final SplittableRandom order;
    private final SplittableRandom market;
    private final SplittableRandom faults;
    private int placeInRound;

    /** @param config values within their bounds, as {@link GeneratorConfigCheck} makes sure */
    TradeGenerator(GeneratorConfig config, long seed) {
        long startCents = cents(config.startPrice());
        List<String> tickers = config.tickers();
        round = new Listing[tickers.size()];
        for (int i = 0; i < round.length; i++) {
            round[i] = new Listing(tickers.get(i), startCents);
        }
        placeInRound = round.length;
        stepCents = cents(config.step());
        maxSize = config.maxSize();
        lateShare = config.lateShare();
        lateByNanos = config.lateBy().toNanos();
        badShare = config.badShare();
        SplittableRandom root = new SplittableRandom(seed);
        order = root.split();
        market = root.split();
        faults = root.split();
    }

    /**
     * The next record.
     *
     * @param eventTime when the trade happens; a late one's time lies back from here
     */
    GeneratedTrade next(Instant eventTime) {
        Listing listing = nextInRound();
        listing.walk();
        long size = market.nextLong(maxSize + 1);
        if (faults.nextDouble() < badShare) {
            return FLAWS[faults.nextInt(FLAWS.length)].in(listing.trade(size, eventTime));
        }
        Instant time =
                faults.nextDouble() < lateShare ? eventTime.minusNanos(1 + faults.nextLong(lateByNanos)) : eventTime;
        return listing.trade(size, time).record();
    }

    private Listing nextInRound() {
        if (placeInRound == round.length) {
            shuffle();
            placeInRound = 0;
        }
        return round[placeInRound++];
    }

    private void shuffle() {
        for (int i = round.length - 1; i > 0; i--) {
            int j = order.nextInt(i + 1);
            Listing other = round[j];
            round[j] = round[i];
            round[i] = other;
        }
    }

    private static long cents(double amount) {
        return Math.round(amount * CENTS);
    }

    /** A ticker and where its price stands. */
    private final class Listing {
        private final String symbol;
        private final String tickerJson;
        private long cents;

        Listing(String symbol, long cents) {
            this.symbol = symbol;
            this.tickerJson = Draft.quoted(symbol);
            this.cents = cents;
        }

        void walk() {
            long moved = cents + market.nextLong(2 * stepCents + 1) - stepCents;
            if (moved < SMALLEST_CENTS) {
                moved = 2 * SMALLEST_CENTS - moved;
            } else if (moved > LARGEST_CENTS) {
                moved = 2 * LARGEST_CENTS - moved;
            }
            // A step as wide as the range may cross both ends.
            cents = Math.min(Math.max(moved, SMALLEST_CENTS), LARGEST_CENTS);
        }

        Draft trade(long size, Instant eventTime) {
            return Draft.of(symbol, tickerJson, cents, size, eventTime);
        }
    }
}
