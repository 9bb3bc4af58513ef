package io.stockstats.generate;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import io.stockstats.wire.TrueOrFalse;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** The knobs of the synthetic trade generator. A value out of its bounds is refused at start. */
@ConfigMapping(prefix = "stockstats.generator")
interface GeneratorConfig {

    /** Whether trades are generated. On by default in dev mode only. */
    @WithDefault("false")
    @WithConverter(TrueOrFalse.class)
    boolean enabled();

    /**
     * Trades per second, over all tickers; above 0, at most 1,000,000; fractions are allowed (0.1 is one trade every
     * ten seconds). A broker that takes fewer slows the generator down.
     */
    @WithDefault("10")
    double rate();

    /** The tickers, each of which trades once per round, in an order that is shuffled for every round; none twice. */
    @WithDefault("MMM,ABT,ABBV,ACN,ATVI,AYI,ADBE,AAP,AES,AET")
    List<String> tickers();

    /** Where every ticker's price begins: 0.01 to 1,000,000,000,000, with at most two decimals. */
    @WithDefault("5000")
    double startPrice();

    /**
     * How far a price moves at most, up or down, from one trade of its ticker to the next: 0 to the same largest price,
     * with at most two decimals. Prices turn back at both ends of that range.
     */
    @WithDefault("5")
    double step();

    /** The largest size of a trade; sizes are whole numbers from 0 to this one, which is at most 1,000,000,000,000. */
    @WithDefault("99")
    long maxSize();

    /** The share of records, from 0 to 1, whose event time lies back by up to {@link #lateBy()}. */
    @WithDefault("0")
    double lateShare();

    /** How far event time lies back at most where it does, evenly spread; above 0, at most 3650 days. */
    @WithDefault("PT10S")
    Duration lateBy();

    /**
     * The share of records, from 0 to 1, that are deliberately not trades, of every kind that a decoder rejects. Such a
     * record takes its ticker's place in the round.
     */
    @WithDefault("0")
    double badShare();

    /**
     * What all choices follow from: the same seed gives the same tickers, prices, sizes and flaws in the same order.
     * Absent: a random one, which is logged at start.
     */
    OptionalLong seed();
}
