package io.stockstats.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.TopRule;
import io.stockstats.stats.WindowStats;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopReportSerdeTest {

    private static final TopRule RULE = new TopRule(new Ranking(Ranking.By.MIN_PRICE, false), 3, 10_000);

    @ParameterizedTest
    @EnumSource
    void listsAndProgressComeBackAsTheyWere(Ranking.By by) {
        // Given
        TopRule rule = new TopRule(new Ranking(by, true), 100, 900_000);
        List<WindowStats> top = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            top.add(window("币安人生USDT" + i, i % 2 == 0 ? "ASK" : null));
        }
        List<TopReport> reports = List.of(
                new TopReport.Partial(rule, 7, 20_000, true, top),
                new TopReport.Partial(rule, 0, 0, false, List.of()),
                new TopReport.Progress(rule, 65_536, 10_000, 1_764_512_990_000L));

        for (TopReport report : reports) {
            // When
            TopReport read = TopReportSerde.deserialize(TopReportSerde.serialize(report));

            // Then
            assertEquals(report, read);
        }
    }

    @Test
    void theFormatIsTheDocumentedOne() {
        // Given
        TopReport progress = new TopReport.Progress(RULE, 5, 10_000, 20_000);

        // When
        byte[] bytes = TopReportSerde.serialize(progress);

        // Then
        assertEquals(
                "01" + "0008" + "6d696e5072696365" + "00" + "0003" + "0000000000002710" + "00000005" + "02"
                        + "0000000000002710" + "0000000000004e20",
                HexFormat.of().formatHex(bytes));
    }

    @Test
    void whatIsNotAReportOfThisVersionIsRefused() {
        // Given
        byte[] bytes =
                TopReportSerde.serialize(new TopReport.Partial(RULE, 1, 10_000, true, List.of(window("MMM", "ASK"))));
        List<byte[]> wrong = new ArrayList<>();
        for (int length = 0; length < bytes.length; length++) {
            wrong.add(Arrays.copyOf(bytes, length));
        }
        wrong.add(Arrays.copyOf(bytes, bytes.length + 1));
        byte[] nextVersion = bytes.clone();
        nextVersion[0] = 2;
        wrong.add(nextVersion);
        byte[] otherFigure = bytes.clone();
        otherFigure[3] = 'x';
        wrong.add(otherFigure);
        byte[] otherKind = bytes.clone();
        otherKind[1 + 2 + 8 + 1 + 2 + 8 + 4] = 9;
        wrong.add(otherKind);

        for (byte[] each : wrong) {
            // When, Then
            assertThrows(
                    UnknownFormatException.class,
                    () -> TopReportSerde.deserialize(each),
                    () -> HexFormat.of().formatHex(each));
        }
    }

    private static WindowStats window(String ticker, @Nullable String type) {
        Ticker symbol = new Ticker(ticker);
        PaneStats stats = PaneStats.of(new Trade(symbol, 5.25, 2, type, 12_345_678_901L), 42);
        return new WindowStats(symbol, RULE.startingAt(10_000), false, stats);
    }
}
