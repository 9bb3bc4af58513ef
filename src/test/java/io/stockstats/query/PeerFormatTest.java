package io.stockstats.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.stockstats.stats.PaneStats;
import io.stockstats.stats.Ranking;
import io.stockstats.stats.Window;
import io.stockstats.stats.WindowStats;
import io.stockstats.store.Copy;
import io.stockstats.store.WindowQuery;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import io.stockstats.wire.UnknownFormatException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeerFormatTest {

    private static final Ticker ODD = new Ticker("币/\uD835\uDD38");

    static Stream<Question> questions() {
        return Stream.of(
                new Question.Latest(ODD, 60_000),
                new Question.Windows(ODD, new WindowQuery(Optional.of(1L), Optional.empty(), 5_000, 1_000, true)),
                new Question.Windows(ODD, new WindowQuery(Optional.empty(), Optional.of(9L), 5_000, 1, false)),
                new Question.All(new TreeSet<>(), Optional.empty(), 101, 5_000),
                new Question.All(new TreeSet<>(List.of(ODD, new Ticker("A"))), Optional.of(new Ticker("A")), 1, 10_000),
                new Question.Top(new Ranking(Ranking.By.VWAP, false), 100, new Window(0, 10_000)),
                new Question.StreamTime());
    }

    @ParameterizedTest
    @MethodSource("questions")
    void a_question_arrives_as_it_was_asked(Question question) {
        PeerFormat.Request request = new PeerFormat.Request(List.of(5, 0, 1_000_000), question);

        assertEquals(request, PeerFormat.request(PeerFormat.request(request)));
    }

    @Test
    void a_reply_arrives_to_the_last_bit() {
        Trade trade = new Trade(ODD, 0.1, 3, "ASK", 1_764_512_995_004_000_001L);
        PaneStats stats = PaneStats.of(trade, 7).plus(new Trade(ODD, 0.2, 0, "BID", 1_764_512_995_004_000_002L), 8);
        WindowStats window = new WindowStats(ODD, new Window(1_764_512_990_000L, 1_764_512_995_000L), true, stats);
        List<Copy<Slice>> reply = List.of(
                Copy.active(0, new Slice(true, List.of(window, window), OptionalLong.of(-1))),
                Copy.following(1, OptionalLong.of(12), new Slice(false, List.of(), OptionalLong.empty())),
                Copy.following(2, OptionalLong.empty(), new Slice(true, List.of(window), OptionalLong.empty())));

        assertEquals(reply, PeerFormat.reply(PeerFormat.reply(reply)));
    }

    /** What an instance of this version sends, and must go on to understand when the next version sends otherwise. */
    @Test
    void the_bytes_of_version_1_are_fixed() {
        byte[] request =
                PeerFormat.request(new PeerFormat.Request(List.of(2), new Question.Latest(new Ticker("MMM"), 5_000)));
        byte[] reply = PeerFormat.reply(
                List.of(Copy.following(2, OptionalLong.of(3), new Slice(false, List.of(), OptionalLong.empty()))));

        assertEquals("01" + "00000001" + "00000002" + "01" + "00034d4d4d" + "0000000000001388", hex(request));
        assertEquals(
                "01" + "00000001" + "00000002" + "00" + "010000000000000003" + "00" + "00" + "00000000", hex(reply));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void a_message_that_was_cut_is_refused_wherever_it_was(Question question) {
        byte[] whole = PeerFormat.request(new PeerFormat.Request(List.of(1), question));

        IntStream.range(0, whole.length)
                .forEach(length -> assertThrows(
                        UnknownFormatException.class, () -> PeerFormat.request(Arrays.copyOf(whole, length))));
    }

    @Test
    void a_message_of_another_version_is_refused_by_its_number() {
        byte[] next = PeerFormat.request(new PeerFormat.Request(List.of(1), new Question.StreamTime()));
        next[0] = 2;

        UnknownFormatException request = assertThrows(UnknownFormatException.class, () -> PeerFormat.request(next));
        UnknownFormatException reply = assertThrows(UnknownFormatException.class, () -> PeerFormat.reply(next));

        assertTrue(request.getMessage().contains("version 2"), request.getMessage());
        assertEquals(request.getMessage(), reply.getMessage());
    }

    @Test
    void what_is_no_question_is_refused() {
        byte[] kind = HexFormat.of().parseHex("010000000000");
        byte[] ticker = HexFormat.of().parseHex("0100000000" + "01" + "0001" + "20" + "0000000000001388");
        byte[] window = HexFormat.of()
                .parseHex("0100000000" + "04" + "0004" + "76776170" + "00" + "00000001" + "0000000000000001"
                        + "0000000000000000");

        for (byte[] bytes : List.of(kind, ticker, window)) {
            assertThrows(UnknownFormatException.class, () -> PeerFormat.request(bytes));
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
