package io.stockstats.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Latest windows as they change, from any instance. */
class StreamIT {

    private static final int PARTITIONS = 4;
    private static final Duration PROMISED = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    static final Bench BENCH = Bench.withBroker();

    @Test
    void aClientOfOneInstanceSeesTheTradesOfAllWithinASecondWhateverIsEmitted() {
        // Given
        Topics topics = BENCH.freshTopics(PARTITIONS);
        Instance a = instance(topics).with("stockstats.emit", "final").start().awaitReady();
        Instance b = instance(topics).with("stockstats.emit", "final").start().awaitReady();
        awaitShared(a, b);
        try (TopicClient client = new TopicClient(BENCH.broker(), topics);
                EventStream stream = EventStream.open(a, "/stream")) {
            sell(client, System.currentTimeMillis());
            await().atMost(PATIENCE).until(() -> stream.tickers().size() == PARTITIONS);
            List<Integer> partitionsOfA = partitionsOf(a);
            List<Duration> here = new ArrayList<>();
            List<Duration> there = new ArrayList<>();

            // When
            for (int i = 0; i < 200; i++) {
                int partition = i % PARTITIONS;
                (partitionsOfA.contains(partition) ? here : there).add(timeUntilSeen(client, stream, partition));
            }

            // Then
            report("/stream, a partition of its own", here);
            report("/stream, a partition of another instance", there);
            assertTrue(p99(here).compareTo(PROMISED) < 0 && p99(there).compareTo(PROMISED) < 0);
            assertEquals(List.of(), stream.unexpected());

            // And a client that comes now begins with all of them
            try (EventStream second = EventStream.open(b, "/stream")) {
                await().atMost(PATIENCE).until(() -> second.tickers().equals(stream.tickers()));
            }
        }
    }

    @Test
    void aClientNoticesNoMoreThanAPauseWhenAnInstanceIsKilledAndComesBack() {
        // Given
        Topics topics = BENCH.freshTopics(PARTITIONS);
        Instance a = instance(topics).start().awaitReady();
        Instance b = instance(topics).start().awaitReady();
        awaitShared(a, b);
        try (TopicClient client = new TopicClient(BENCH.broker(), topics);
                EventStream stream = EventStream.open(a, "/stream")) {
            awaitSeen(client, stream);

            // When
            b.kill();

            // Then
            awaitSeen(client, stream);
            Instance again = instance(topics).start().awaitReady();
            awaitShared(a, again);
            awaitSeen(client, stream);
            assertFalse(stream.hasEnded());
        }
    }

    @Test
    void answersAsTheContractSays() throws IOException, InterruptedException {
        // Given
        Topics topics = BENCH.freshTopics(1);
        Instance instance = instance(topics).start().awaitReady();

        // When: before any ticker exists
        try (EventStream stream = EventStream.open(instance, "/stream", "Last-Event-ID", "1764513000000-10");
                EventStream some = EventStream.open(instance, "/stream?tickers=A,B%2FC&unknown=1");
                EventStream all = EventStream.open(instance, "/stream?tickers=");
                TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            // Then
            assertEquals(200, stream.status());
            assertEquals("text/event-stream", stream.header("Content-Type"));
            assertEquals("no-cache", stream.header("Cache-Control"));
            assertEquals("no", stream.header("X-Accel-Buffering"));
            await().atMost(PATIENCE).until(() -> stream.comments() == 1);
            assertEquals(3, instance.metric("stockstats_stream_clients"));

            // When
            for (String ticker : List.of("A", "B/C", "D")) {
                client.send(0, Sale.of(ticker, "10.25", 3, System.currentTimeMillis()));
            }

            // Then: the same object as a query's answer
            await().atMost(PATIENCE).until(() -> stream.tickers().equals(List.of("A", "B/C", "D")));
            await().atMost(PATIENCE).until(() -> some.tickers().equals(List.of("A", "B/C")));
            await().atMost(PATIENCE).until(() -> all.tickers().equals(stream.tickers()));
            assertEquals(instance.get("/stats/B%2FC").as(WindowJson.class), stream.latest("B/C"));

            // And when nothing happens
            await("a comment").atMost(Duration.ofSeconds(15)).until(() -> stream.comments() > 1);
            assertEquals(List.of("A", "B/C"), some.tickers());
        }
        await().atMost(PATIENCE).until(() -> instance.metric("stockstats_stream_clients") == 0);

        // Requests that are wrong
        for (String tickers : List.of("A,", "A%20B", "A,,B", "..")) {
            instance.get("/stream?tickers=" + tickers).assertProblem(400, "tickers");
        }
        for (String method : List.of("HEAD", "POST", "DELETE")) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + instance.port() + "/stream"))
                                    .method(method, HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(405, answer.statusCode(), method);
            assertEquals("GET", answer.headers().firstValue("Allow").orElse(""), method);
            assertEquals(
                    "application/problem+json",
                    answer.headers().firstValue("Content-Type").orElse(""),
                    method);
        }
        String api = instance.get("/openapi?format=json").body();
        assertTrue(HttpAnswer.read(api, JsonNode.class)
                .path("paths")
                .path("/stream")
                .path("get")
                .path("responses")
                .path("200")
                .path("content")
                .has("text/event-stream"));
        assertEquals(
                "Stockstats",
                HttpAnswer.read(api, JsonNode.class).path("info").path("title").asText());
    }

    @Test
    void aClientThatDoesNotReadDelaysNobodyAndGetsTheNewestWhenItDoes() throws IOException {
        // Given
        int tickers = 400;
        int rounds = 50;
        Topics topics = BENCH.freshTopics(1);
        Instance instance = instance(topics).start().awaitReady();
        try (Socket slow = connect(instance, 4 << 10);
                EventStream quick = EventStream.open(instance, "/stream");
                TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            long at = System.currentTimeMillis() / 1_000 * 1_000;

            // When: one million bytes every five rounds, which no buffer on the way holds for ten
            for (int round = 1; round <= rounds; round++) {
                for (int i = 0; i < tickers; i++) {
                    client.send(0, Sale.of("T" + i, "10.25", 1, at));
                }
                client.flush();
                int count = round;

                // Then
                await().atMost(Duration.ofSeconds(10))
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> IntStream.range(0, tickers).allMatch(i -> count(quick, "T" + i) == count));
            }

            // And when it reads at last
            slow.setSoTimeout(2_000);
            String read = readUntil(slow.getInputStream(), "\"countTrades\":" + rounds + ",", tickers);
            int events = read.split("event: stats", -1).length - 1;
            System.out.printf(
                    "a client that did not read got %d of %d events when it did, the newest of all %d tickers%n",
                    events, quick.events(), tickers);
            assertTrue(events < quick.events() * 3 / 4, () -> events + " events");
        }
    }

    @Test
    void clientsThatComeAndGoLeaveNothingBehind() throws IOException, InterruptedException {
        // Given
        int clients = 300;
        Topics topics = BENCH.freshTopics(PARTITIONS);
        Instance a = instance(topics).start().awaitReady();
        Instance b = instance(topics).start().awaitReady();
        awaitShared(a, b);
        try (TopicClient client = new TopicClient(BENCH.broker(), topics)) {
            for (int i = 0; i < 1_000; i++) {
                client.send(i % PARTITIONS, Sale.of("T" + i, "10.25", 1, System.currentTimeMillis()));
            }
            client.flush();
            comeAndGo(a, client, 20);
            Footprint before = Footprint.of(a);

            // When
            for (int i = 0; i < 3; i++) {
                comeAndGo(a, client, clients);
            }
            // What the first begins and the last ends is begun and ended more often than the bounds below allow for.
            for (int i = 0; i < 30; i++) {
                comeAndGo(a, client, 2);
            }

            // Then
            Footprint after = Footprint.of(a);
            System.out.printf(
                    "%d clients that came and went three times, and two that did so 30 times: before %s, after %s%n",
                    clients, before, after);
            assertTrue(after.threads() <= before.threads() + 10, "threads");
            assertTrue(after.files() <= before.files() + 15, "descriptors");
            assertTrue(after.heapMiB() <= before.heapMiB() + 8, "heap");
            assertFalse(a.log().contains("ERROR"), a::log);
        }
    }

    /**
     * What a process holds.
     *
     * @param heapMiB after a full collection
     */
    private record Footprint(int threads, int files, int heapMiB) {
        static Footprint of(Instance instance) throws IOException, InterruptedException {
            instance.collectGarbage();
            double heap = instance.get("/q/metrics")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
            return new Footprint(
                    (int) instance.metric("jvm_threads_live_threads"),
                    (int) instance.metric("process_files_open_files"),
                    (int) (heap / (1 << 20)));
        }
    }

    /** Clients that connect, are sent everything while trades come in, and break off. */
    private static void comeAndGo(Instance instance, TopicClient client, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(connect(instance, 64 << 10));
            }
            await().atMost(PATIENCE).until(() -> instance.metric("stockstats_stream_clients") == count);
            client.send(1, Sale.of("T1", "10.25", 1, System.currentTimeMillis()));
            client.flush();
            for (Socket socket : sockets) {
                readUntil(socket.getInputStream(), "event: stats", 10);
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
        await().atMost(PATIENCE).until(() -> instance.metric("stockstats_stream_clients") == 0);
    }

    private static Instance.Builder instance(Topics topics) {
        return BENCH.instance(topics);
    }

    private static Socket connect(Instance instance, int receiveBuffer) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(receiveBuffer);
        socket.setSoTimeout(30_000);
        socket.connect(
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), instance.port()), 5_000);
        // HTTP/1.0, as some proxies ask: the body comes as it is, without chunks.
        socket.getOutputStream().write("GET /stream HTTP/1.0\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        return socket;
    }

    /** Reads until the text was seen so often. */
    private static String readUntil(InputStream in, String text, int times) throws IOException {
        StringBuilder read = new StringBuilder();
        byte[] piece = new byte[64 << 10];
        int seen = 0;
        int from = 0;
        while (seen < times) {
            int length = in.read(piece);
            assertTrue(length > 0, () -> "ended after " + read.length());
            read.append(new String(piece, 0, length, UTF_8));
            for (int at = read.indexOf(text, from); at >= 0; at = read.indexOf(text, from)) {
                seen++;
                from = at + text.length();
            }
        }
        return read.toString();
    }

    private static long count(EventStream stream, String ticker) {
        WindowJson latest = stream.latest(ticker);
        return latest == null ? 0 : latest.countTrades();
    }

    /** One trade in each partition, of a ticker of its own. */
    private static void sell(TopicClient client, long at) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            client.send(partition, Sale.of("P" + partition, "10.25", 1, at));
        }
        client.flush();
    }

    /** That trades in all partitions reach the client. */
    private static void awaitSeen(TopicClient client, EventStream stream) {
        long at = System.currentTimeMillis();
        sell(client, at);
        String wanted = lastTradeAt(at);
        await().atMost(PATIENCE)
                .until(() ->
                        IntStream.range(0, PARTITIONS).allMatch(partition -> isAt(stream, "P" + partition, wanted)));
    }

    private static Duration timeUntilSeen(TopicClient client, EventStream stream, int partition) {
        long at = System.currentTimeMillis();
        String wanted = lastTradeAt(at);
        long begin = System.nanoTime();
        client.send(partition, Sale.of("P" + partition, "10.25", 1, at));
        client.flush();
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(PATIENCE)
                .until(() -> isAt(stream, "P" + partition, wanted));
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private static String lastTradeAt(long at) {
        return java.time.Instant.ofEpochMilli(at).toString();
    }

    private static boolean isAt(EventStream stream, String ticker, String lastTradeAt) {
        WindowJson latest = stream.latest(ticker);
        return latest != null && latest.lastTradeAt().equals(lastTradeAt);
    }

    /** That both process some of the partitions, and together all. */
    private static void awaitShared(Instance a, Instance b) {
        await("shared partitions").atMost(PATIENCE).until(() -> {
            List<Integer> ofA = partitionsOf(a);
            List<Integer> ofB = partitionsOf(b);
            return ofA.size() == PARTITIONS / 2
                    && ofB.size() == PARTITIONS / 2
                    && ofA.stream().noneMatch(ofB::contains);
        });
    }

    private static List<Integer> partitionsOf(Instance instance) {
        return instance.get("/q/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("stockstats_partition_lag{"))
                .map(line -> Integer.valueOf(line.replaceFirst(".*partition=\"(\\d+)\".*", "$1")))
                .toList();
    }

    private static void report(String what, List<Duration> times) {
        assertFalse(times.isEmpty(), what);
        System.out.printf(
                "%s: a trade shows after %d ms (p50), %d ms (p99)%n",
                what, percentile(times, 50).toMillis(), p99(times).toMillis());
    }

    private static Duration p99(List<Duration> times) {
        return percentile(times, 99);
    }

    private static Duration percentile(List<Duration> times, int percent) {
        Duration[] sorted = times.toArray(new Duration[0]);
        Arrays.sort(sorted);
        return Objects.requireNonNull(sorted[Math.max(0, sorted.length * percent / 100 - 1)]);
    }
}
