package io.stockstats.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusIntegrationTest;
import io.stockstats.dev.EmbeddedBroker;
import io.stockstats.dev.EmbeddedKafka;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client is promised over HTTP, of the JVM's package as of the native one. */
@QuarkusIntegrationTest
@WithTestResource(EmbeddedKafka.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RestIT {

    private static final long DAY = 1_760_000_000_000L;
    private static final Topics TOPICS = new Topics("stocks", "stockstats-output", "stocks-rejected", "stockstats");
    private static final List<String> TICKERS = List.of("50%", "BRK.B", "BTC/USDT", "MMM", "^GSPC", "a+b", "币安人生USDT");

    EmbeddedBroker broker;

    @TestHTTPResource
    URI root;

    private final Ledger ledger = new Ledger();

    /** Each ticker trades four times a second for two minutes, but for a gap of ten seconds. */
    @BeforeAll
    void trade() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            admin.createTopics(TOPICS.all().stream()
                            .map(topic -> new NewTopic(topic, 3, (short) 1))
                            .toList())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
        try (TopicClient client = new TopicClient(broker, TOPICS)) {
            IntStream.range(0, 480)
                    .filter(i -> i < 240 || i >= 280)
                    .forEach(i -> TICKERS.forEach(ticker -> {
                        Sale sale = Sale.of(ticker, "10." + 25 * (i % 4), i % 5, DAY + 250L * i);
                        ledger.add(sale);
                        client.send(TICKERS.indexOf(ticker) % 3, sale);
                    }));
            client.flush();
        }
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            for (String ticker : TICKERS) {
                assertEquals(
                        ledger.latest(ticker, 5_000, false),
                        get("/stats/" + encoded(ticker)).assertOk().as(WindowJson.class));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "50%25, 50%",
        "BRK.B, BRK.B",
        "BRK%2EB, BRK.B",
        "BTC%2FUSDT, BTC/USDT",
        "%5EGSPC, ^GSPC",
        "%5egspc, ''",
        "a+b, a+b",
        "a%2Bb, a+b",
        "a%20b, ''",
        "%E5%B8%81%E5%AE%89%E4%BA%BA%E7%94%9FUSDT, 币安人生USDT",
        "50%2525, ''",
    })
    void takesATickerAsOneSegmentDecodedOnce(String segment, String ticker) {
        // When
        HttpAnswer latest = get("/stats/" + segment);
        HttpAnswer windows = get("/stats/" + segment + "/windows");

        // Then
        if (ticker.isEmpty()) {
            int status = segment.equals("a%20b") ? 400 : 404;
            latest.assertProblem(status, status == 400 ? "ticker" : null);
            windows.assertProblem(status, status == 400 ? "ticker" : null);
        } else {
            assertEquals(ledger.latest(ticker, 5_000, false), latest.assertOk().as(WindowJson.class));
            assertEquals(ticker, windows.assertOk().json().path("ticker").asText());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/stats/%ZZ,",
        "/stats/%ff, ticker",
        "/stats/%,",
        "/stats/a%2,",
        "/stats/%ZZ/windows,",
        "/stats/%C0%AE, ticker",
        "/%ZZ,"
    })
    void refusesAnEscapeThatIsNone(String path, @Nullable String parameter) throws IOException {
        getRaw(path).assertProblem(400, parameter);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT5S", "PT10S", "PT1M", "PT15M"})
    void answersWindowsOfAnySize(String window) {
        // Given
        long size = Duration.parse(window).toMillis();
        List<WindowJson> expected = TICKERS.stream()
                .map(ticker -> ledger.latest(ticker, size, false))
                .toList();

        // When, then
        assertEquals(
                expected.get(3), get("/stats/MMM?window=" + window).assertOk().as(WindowJson.class));
        JsonNode all = get("/stats?window=" + window).assertOk().json();
        assertEquals(expected, windows(all.path("stats")));
        assertTrue(all.path("next").isNull() && all.path("complete").asBoolean(), all::toString);
        assertEquals(0, all.path("missingPartitions").size());
        assertTrue(all.path("missingPartitions").isArray());
    }

    @ParameterizedTest
    @CsvSource({"asc, 7", "asc, 1000", "asc, 1", "desc, 7", "desc, 1000"})
    void pagesThroughAllWindows(String order, int limit) {
        // Given the windows of a ticker, some of which are final, and none of the gap
        boolean descending = order.equals("desc");
        List<WindowJson> expected = ledger.windows(false).values().stream()
                .filter(window -> window.ticker().equals("MMM"))
                .map(window -> window.windowEnd() + 30_000 <= DAY + 119_750 ? asFinal(window) : window)
                .sorted(
                        descending
                                ? Comparator.comparing(WindowJson::windowStart).reversed()
                                : Comparator.comparing(WindowJson::windowStart))
                .toList();

        // When they are read page by page
        List<WindowJson> read = new ArrayList<>();
        String moving = descending ? "to" : "from";
        String standing = descending ? "from" : "to";
        long bound = descending ? DAY + 600_000 : DAY - 600_000;
        JsonNode next = null;
        do {
            String path = "/stats/MMM/windows?order=" + order + "&limit=" + limit + "&" + standing + "="
                    + (descending ? DAY - 600_000 : DAY + 600_000) + "&" + moving + "="
                    + (next == null ? bound : next.asLong());
            JsonNode page = get(path).assertOk().json();
            assertEquals(List.of("ticker", "windows", "next"), names(page));
            List<WindowJson> some = windows(page.path("windows"));
            assertTrue(some.size() <= limit && !some.isEmpty(), path);
            read.addAll(some);
            next = page.path("next");
            assertEquals(!next.isNull(), some.size() == limit && read.size() < expected.size(), path);
        } while (!next.isNull());

        // Then
        assertEquals(expected, read);
    }

    @Test
    void takesTimesInBothForms() {
        String millis = "/stats/MMM/windows?from=" + (DAY + 10_000) + "&to=" + (DAY + 13_000);
        String iso = "/stats/MMM/windows?from=" + Instant.ofEpochMilli(DAY + 10_000) + "&to="
                + Instant.ofEpochMilli(DAY + 13_000);
        List<Long> starts = windows(get(millis).assertOk().json().path("windows")).stream()
                .map(WindowJson::windowStart)
                .toList();
        assertEquals(List.of(DAY + 10_000, DAY + 11_000, DAY + 12_000), starts);
        assertEquals(get(millis).body(), get(iso).assertOk().body());
    }

    @Test
    void answersTheLastMinuteUnlessToldOtherwise() {
        List<Long> starts = windows(get("/stats/MMM/windows").assertOk().json().path("windows")).stream()
                .map(WindowJson::windowStart)
                .toList();
        // The newest trade came at 119.75 s; the first windows after 59.75 s lie in the gap from 60 s to 70 s.
        assertEquals(DAY + 66_000, starts.get(0));
        assertEquals(DAY + 119_000, starts.get(starts.size() - 1));
    }

    @Test
    void pagesThroughAllTickersInCodePointOrder() {
        List<String> read = new ArrayList<>();
        String after = "";
        while (true) {
            JsonNode page = get("/stats?limit=2" + after).assertOk().json();
            assertEquals(List.of("stats", "next", "complete", "missingPartitions"), names(page));
            windows(page.path("stats")).forEach(window -> read.add(window.ticker()));
            if (page.path("next").isNull()) {
                break;
            }
            assertEquals(read.get(read.size() - 1), page.path("next").asText());
            after = "&after=" + encoded(page.path("next").asText());
        }
        assertEquals(TICKERS, read);
    }

    @Test
    void answersOnlyTheTickersAskedFor() {
        JsonNode some = get("/stats?tickers=MMM,BTC%2FUSDT,XYZ").assertOk().json();
        assertEquals(
                List.of(ledger.latest("BTC/USDT", 5_000, false), ledger.latest("MMM", 5_000, false)),
                windows(some.path("stats")));
    }

    @Test
    void answersTheFirstOfAllTickers() {
        // Given that all tickers trade alike, so that their names decide
        List<String> first = TICKERS.stream().limit(3).toList();
        List<WindowJson> expected = first.stream()
                .map(ticker -> ledger.latest(ticker, 10_000, false))
                .toList();

        // When
        JsonNode top = get("/top").assertOk().json();
        JsonNode all = get("/top?by=minPrice&order=asc&n=100&window=PT1M&consistency=strict")
                .assertOk()
                .json();

        // Then
        assertEquals(
                List.of("windowStart", "windowEnd", "by", "order", "top", "complete", "missingPartitions"), names(top));
        assertEquals(DAY + 110_000, top.path("windowStart").asLong());
        assertEquals(DAY + 120_000, top.path("windowEnd").asLong());
        assertEquals(
                "volume desc", top.path("by").asText() + " " + top.path("order").asText());
        assertEquals(expected, windows(top.path("top")));
        assertTrue(top.path("complete").asBoolean()
                && top.path("missingPartitions").isEmpty());
        assertEquals(DAY + 60_000, all.path("windowStart").asLong());
        assertEquals(
                TICKERS,
                windows(all.path("top")).stream().map(WindowJson::ticker).toList());
    }

    @Test
    void tellsOfItsInstancesButNotWhereTheyAre() {
        HttpAnswer answer = get("/instances").assertOk();

        JsonNode instances = answer.json().path("instances");
        assertEquals(1, instances.size(), answer::toString);
        JsonNode here = instances.path(0);
        assertEquals(List.of("name", "state", "active", "standby", "restore"), names(here));
        assertEquals("RUNNING", here.path("state").asText());
        assertEquals(
                "[0,1,2]",
                here.path("active").findValues("partition").toString().replace(" ", ""));
        assertEquals("[0,0,0]", here.path("active").findValues("lag").toString().replace(" ", ""));
        assertTrue(here.path("standby").isEmpty());
        assertEquals(100, here.path("restore").path("percent").asInt());
        assertFalse(answer.body().contains("localhost") || answer.body().contains("127.0.0.1"), answer::body);
        assertEquals(answer.body(), get("/instances").body());
    }

    @Test
    void answersOnlyInstancesWhereInstancesAsk() {
        HttpAnswer.post(base(), "/internal/v1/questions", "application/octet-stream", "no question")
                .assertProblem(400, null);
        get("/internal/v1/questions").assertProblem(405, null);
    }

    @ParameterizedTest
    @CsvSource({
        "/top?by=price, by",
        "/top?n=0, n",
        "/top?n=101, n",
        "/top?order=up, order",
        "/top?window=PT0.5S, window",
        "/top?consistency=weak, consistency",
        "/stats/MMM/windows?consistency=STRICT, consistency",
        "/stats/MMM?window=PT0S, window",
        "/stats/MMM?window=PT1.5S, window",
        "/stats/MMM?window=PT15M1S, window",
        "/stats/MMM?window=5, window",
        "/stats?window=-PT5S, window",
        "/stats?limit=0, limit",
        "/stats?limit=1001, limit",
        "/stats?limit=many, limit",
        "'/stats?tickers=MMM,', tickers",
        "/stats?after=a%20b, after",
        "/stats/MMM/windows?limit=0, limit",
        "/stats/MMM/windows?order=down, order",
        "/stats/MMM/windows?from=yesterday, from",
        "/stats/MMM/windows?to=-1, to",
        "/stats/MMM/windows?to=99999999999999999999, to",
        "/stats/MMM/windows?from=5&to=4, from",
        "/stats/MMM/windows?window=PT0.1S, window",
        "/stats/a%2Cb, ticker",
    })
    void refusesABadParameterByName(String path, String parameter) {
        get(path).assertProblem(400, parameter);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/stats/XYZ",
                "/stats/XYZ/windows",
                "/stats/mmm",
                "/nothing",
                "/stats/MMM/nothing",
                "/stats/BTC/USDT",
                "/q/nothing"
            })
    void saysThatThereIsNothing(String path) {
        get(path).assertProblem(404, null);
    }

    @Test
    void describesItself() {
        // When
        HttpAnswer answer = HttpAnswer.get(base(), "/openapi?format=json");

        // Then
        JsonNode api = answer.json();
        assertTrue(
                api.path("openapi").asText().startsWith("3.1"),
                () -> api.path("openapi").asText());
        assertTrue(names(api.path("paths"))
                .containsAll(List.of("/stats", "/stats/{ticker}", "/stats/{ticker}/windows", "/top", "/instances")));
        api.path("paths").forEach(path -> {
            JsonNode get = path.path("get");
            get.path("parameters")
                    .forEach(parameter -> assertTrue(
                            parameter.has("example") || parameter.has("examples"), () -> "no example: " + parameter));
        });
        JsonNode window =
                api.path("components").path("schemas").path("WindowStats").path("properties");
        // Those of the output topic, and stale and lag.
        assertEquals(19, window.size(), window::toString);
        window.fields()
                .forEachRemaining(field -> assertTrue(
                        field.getKey().equals("final") || field.getValue().has("examples"),
                        () -> "no example: " + field));
    }

    @ParameterizedTest
    @ValueSource(strings = {"live", "ready", "started"})
    void isHealthy(String check) {
        HttpAnswer answer = get("/q/health/" + check);
        assertEquals(200, answer.status());
        assertEquals("UP", answer.json().path("status").asText());
        assertEquals(1, answer.json().path("checks").size(), answer::toString);
    }

    @Test
    void measuresWhatItPromises() {
        get("/stats/MMM").assertOk();
        Map<String, Double> metrics = new TreeMap<>();
        get("/q/metrics").body().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int at = line.lastIndexOf(' ');
            metrics.put(line.substring(0, at), Double.parseDouble(line.substring(at + 1)));
        });
        assertEquals(ledger.size(), metrics.get("stockstats_trades_total"));
        assertEquals(0.0, metrics.get("stockstats_trades_late_total"));
        for (String reason : List.of(
                "malformed",
                "missing_ticker",
                "invalid_ticker",
                "key_mismatch",
                "invalid_price",
                "invalid_size",
                "invalid_timestamp",
                "future_timestamp")) {
            assertEquals(0.0, metrics.get("stockstats_trades_rejected_total{reason=\"" + reason + "\"}"), reason);
        }
        assertEquals(0.0, metrics.get("stockstats_trades_skipped_total{reason=\"type\"}"));
        assertEquals(0.0, metrics.get("stockstats_trades_skipped_total{reason=\"frame\"}"));
        assertTrue(metrics.get("stockstats_windows_emitted_total")
                >= ledger.windows(true).size());
        Map<String, Double> queries = starting(metrics, "stockstats_query_seconds_bucket{");
        assertTrue(
                queries.keySet().stream()
                        .anyMatch(name ->
                                name.contains("path=\"/stats/{ticker}\"") && name.contains("outcome=\"found\"")),
                queries::toString);
        assertEquals(
                3,
                starting(metrics, "stockstats_restore_remaining_records{partition=")
                        .size());
        assertEquals(3, starting(metrics, "stockstats_partition_lag{partition=").size());
        for (String kafka : List.of("kafka_stream_", "kafka_consumer_", "kafka_producer_", "jvm_")) {
            assertFalse(starting(metrics, kafka).isEmpty(), kafka);
        }
    }

    private static Map<String, Double> starting(Map<String, Double> metrics, String prefix) {
        Map<String, Double> some = new LinkedHashMap<>(metrics);
        some.keySet().removeIf(name -> !name.startsWith(prefix));
        return some;
    }

    private static WindowJson asFinal(WindowJson w) {
        return new WindowJson(
                w.ticker(),
                w.type(),
                w.windowStart(),
                w.windowEnd(),
                true,
                w.countTrades(),
                w.sumPrice(),
                w.minPrice(),
                w.maxPrice(),
                w.avgPrice(),
                w.openPrice(),
                w.closePrice(),
                w.volume(),
                w.turnover(),
                w.vwap(),
                w.firstTradeAt(),
                w.lastTradeAt());
    }

    private static List<WindowJson> windows(JsonNode array) {
        List<WindowJson> windows = new ArrayList<>();
        array.forEach(each -> windows.add(HttpAnswer.read(each.toString(), WindowJson.class)));
        return windows;
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static String encoded(String ticker) {
        return URLEncoder.encode(ticker, UTF_8);
    }

    private HttpAnswer get(String path) {
        return HttpAnswer.get(base(), path);
    }

    private String base() {
        return "http://" + root.getHost() + ":" + root.getPort();
    }

    /** Sends the path as it is, where the JDK's client would refuse it. */
    private HttpAnswer getRaw(String path) throws IOException {
        try (Socket socket = new Socket(root.getHost(), root.getPort())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            String[] parts = new String(socket.getInputStream().readAllBytes(), UTF_8).split("\r\n\r\n", 2);
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            parts[0].lines().skip(1).forEach(line -> {
                String[] header = line.split(": ", 2);
                headers.put(header[0], header[1]);
            });
            return new HttpAnswer(Integer.parseInt(parts[0].split(" ", 3)[1]), headers, parts[1]);
        }
    }
}
