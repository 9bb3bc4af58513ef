package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.stockstats.trade.Ticker;
import io.stockstats.trade.Trade;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The contract once more, slow and by other means: a JSON tree, BigDecimal, regular expressions and java.time. */
final class Oracle {

    static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private static final Pattern JSON_INTEGER = Pattern.compile("-?(0|[1-9][0-9]*)");
    private static final Pattern DATE_TIME =
            Pattern.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})"
                    + ":([0-9]{2})(?:\\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))");
    private static final BigDecimal SMALLEST = new BigDecimal("1e-18");
    private static final BigDecimal LARGEST = new BigDecimal("1e18");
    private static final BigInteger NANOS_PER_MILLI = BigInteger.valueOf(1_000_000);
    private static final BigInteger NANOS_PER_SECOND = BigInteger.valueOf(1_000_000_000);
    private static final JsonMapper TREES = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Oracle() {}

    /** The trade, as far as a key that must be the ticker, milliseconds and the default bounds go. */
    static Optional<Trade> trade(byte[] key, byte[] value, long recordMs, Instant now) {
        JsonNode tree;
        try {
            tree = TREES.readTree(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString());
        } catch (CharacterCodingException | JsonProcessingException e) {
            return Optional.empty();
        }
        if (tree == null || !tree.isObject()) {
            return Optional.empty();
        }
        String keyText = new String(key, StandardCharsets.UTF_8);
        JsonNode ticker = tree.path("ticker");
        if (!absent(ticker) && !(ticker.isTextual() && ticker.textValue().equals(keyText))) {
            return Optional.empty();
        }
        Optional<BigDecimal> price = decimal(tree.path("price"));
        Optional<BigDecimal> size =
                absent(tree.path("size")) ? Optional.of(BigDecimal.ZERO) : decimal(tree.path("size"));
        Optional<BigInteger> nanos = absent(tree.path("timestamp"))
                ? Optional.of(BigInteger.valueOf(recordMs).multiply(NANOS_PER_MILLI))
                : nanos(tree.path("timestamp"));
        BigInteger earliest = nanos(TradeFormat.STOCKSTATS.earliest());
        BigInteger latest = nanos(now.plus(TradeFormat.STOCKSTATS.maxFuture()));
        if (!Ticker.faultIn(keyText).isEmpty()
                || price.isEmpty()
                || !inRange(price.get())
                || size.isEmpty()
                || !(size.get().signum() == 0 || inRange(size.get()))
                || nanos.isEmpty()
                || nanos.get().compareTo(earliest) < 0
                || nanos.get().compareTo(latest) > 0) {
            return Optional.empty();
        }
        return Optional.of(new Trade(
                new Ticker(keyText),
                price.get().doubleValue(),
                size.get().doubleValue(),
                type(tree.path("type")),
                nanos.get().longValueExact()));
    }

    static boolean inRange(BigDecimal decimal) {
        return decimal.compareTo(SMALLEST) >= 0 && decimal.compareTo(LARGEST) <= 0;
    }

    /** The date-time that the text is by RFC 3339, with a space allowed for the T. */
    static Optional<Instant> dateTime(String text) {
        Matcher part = DATE_TIME.matcher(text);
        if (!part.matches()) {
            return Optional.empty();
        }
        try {
            int second = Integer.parseInt(part.group(6));
            boolean leap = second == 60;
            int offset = part.group(8) == null
                    ? 0
                    : seconds(part.group(9), part.group(10), part.group(8).equals("-"));
            Instant whole = LocalDateTime.of(
                            Integer.parseInt(part.group(1)),
                            Integer.parseInt(part.group(2)),
                            Integer.parseInt(part.group(3)),
                            Integer.parseInt(part.group(4)),
                            Integer.parseInt(part.group(5)),
                            leap ? 59 : second)
                    .toInstant(ZoneOffset.UTC)
                    .minusSeconds(offset);
            if (leap && !whole.toString().endsWith("T23:59:59Z")) {
                return Optional.empty();
            }
            String fraction = part.group(7) == null ? "" : part.group(7);
            return Optional.of(whole.plusSeconds(leap ? 1 : 0)
                    .plusNanos(Long.parseLong((fraction + "000000000").substring(0, 9))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int seconds(String hours, String minutes, boolean negative) {
        int h = Integer.parseInt(hours);
        int m = Integer.parseInt(minutes);
        if (h > 23 || m > 59) {
            throw new DateTimeException("no offset");
        }
        return (negative ? -60 : 60) * (60 * h + m);
    }

    private static boolean absent(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    private static Optional<BigDecimal> decimal(JsonNode node) {
        if (node.isNumber()) {
            return Optional.of(node.decimalValue());
        }
        return node.isTextual() && JSON_NUMBER.matcher(node.textValue()).matches()
                ? Optional.of(new BigDecimal(node.textValue()))
                : Optional.empty();
    }

    private static Optional<BigInteger> nanos(JsonNode node) {
        if (node.isIntegralNumber()) {
            return Optional.of(node.bigIntegerValue().multiply(NANOS_PER_MILLI));
        }
        if (!node.isTextual()) {
            return Optional.empty();
        }
        return JSON_INTEGER.matcher(node.textValue()).matches()
                ? Optional.of(new BigInteger(node.textValue()).multiply(NANOS_PER_MILLI))
                : dateTime(node.textValue()).map(Oracle::nanos);
    }

    private static BigInteger nanos(Instant instant) {
        return BigInteger.valueOf(instant.getEpochSecond())
                .multiply(NANOS_PER_SECOND)
                .add(BigInteger.valueOf(instant.getNano()));
    }

    private static @Nullable String type(JsonNode node) {
        if (!node.isTextual()) {
            return null;
        }
        String type = node.textValue();
        boolean encodable = StandardCharsets.UTF_8.newEncoder().canEncode(type);
        return encodable && type.codePointCount(0, type.length()) <= 32 ? type : null;
    }
}
