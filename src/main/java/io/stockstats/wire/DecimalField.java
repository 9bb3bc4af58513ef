package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.stockstats.trade.Trade;
import java.io.IOException;

/**
 * A price or a size as it stands in a trade. Whether it is within [{@value Trade#SMALLEST}, {@value Trade#LARGEST}] is
 * judged on the decimal as written, before it is rounded to a double. The cost is linear in the text's length, whatever
 * its exponent says.
 */
final class DecimalField {

    /** What stands there. */
    enum Verdict {
        ABSENT,
        NOT_A_NUMBER,
        NEGATIVE,
        ZERO,
        TOO_SMALL,
        WITHIN,
        TOO_LARGE
    }

    // The decimal exponents of the bounds, both of which are powers of ten.
    private static final int LOWEST_EXPONENT = -18;
    private static final int HIGHEST_EXPONENT = 18;

    // No number has so many digits that it could bring an exponent of this size back into the range.
    private static final int ENDLESS_EXPONENT = 100_000_000;

    // With more digits than these, only whether anything but zeros follows can matter to the nearest double.
    private static final int MAX_DIGITS = 800;

    private static final int MAX_LONG_DIGITS = 18;
    private static final long MAX_EXACT_LONG = 1L << 53;
    private static final double[] EXACT_POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private Verdict verdict = Verdict.ABSENT;
    private double value;
    private String seen = "";

    Verdict verdict() {
        return verdict;
    }

    /** The double nearest to the number, when the verdict is {@link Verdict#WITHIN}; else 0. */
    double value() {
        return value;
    }

    /** What stands there, fit to be shown, when it is neither absent nor 0 nor within the range. */
    String seen() {
        return seen;
    }

    /** Takes the value that the parser is at; the start of an object or array is not left. */
    void read(JsonToken token, JsonParser parser) throws IOException {
        value = 0;
        seen = "";
        switch (token) {
            case VALUE_NULL -> verdict = Verdict.ABSENT;
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                char[] text = parser.getTextCharacters();
                int from = parser.getTextOffset();
                int to = from + parser.getTextLength();
                verdict = judge(text, from, to);
                if (verdict != Verdict.WITHIN && verdict != Verdict.ZERO) {
                    seen = token == JsonToken.VALUE_STRING ? Seen.quoted(text, from, to) : Seen.plain(text, from, to);
                }
            }
            default -> {
                verdict = Verdict.NOT_A_NUMBER;
                seen = Seen.kind(token);
            }
        }
    }

    private Verdict judge(char[] text, int from, int to) {
        boolean negative = from < to && text[from] == '-';
        int whole = negative ? from + 1 : from;
        int point = afterDigits(text, whole, to);
        if (point == whole || (text[whole] == '0' && point > whole + 1)) {
            return Verdict.NOT_A_NUMBER;
        }
        int end = point;
        if (point < to && text[point] == '.') {
            end = afterDigits(text, point + 1, to);
            if (end == point + 1) {
                return Verdict.NOT_A_NUMBER;
            }
        }
        int exponent = 0;
        if (end < to) {
            int mark = end + 1;
            boolean signed = mark < to && (text[mark] == '-' || text[mark] == '+');
            int digits = signed ? mark + 1 : mark;
            if ((text[end] != 'e' && text[end] != 'E') || digits == to || afterDigits(text, digits, to) != to) {
                return Verdict.NOT_A_NUMBER;
            }
            exponent = exponent(text, digits, to);
            if (text[mark] == '-') {
                exponent = -exponent;
            }
        }

        int first = whole;
        while (first < end && (text[first] == '0' || text[first] == '.')) {
            first++;
        }
        if (first == end) {
            return Verdict.ZERO;
        }
        if (negative) {
            return Verdict.NEGATIVE;
        }
        int last = end - 1;
        while (text[last] == '0' || text[last] == '.') {
            last--;
        }
        // The number is d.ddd × 10^exponent, where the first d is not 0.
        exponent += first < point ? point - 1 - first : point - first;
        if (exponent < LOWEST_EXPONENT) {
            return Verdict.TOO_SMALL;
        }
        if (exponent > HIGHEST_EXPONENT || (exponent == HIGHEST_EXPONENT && !(text[first] == '1' && first == last))) {
            return Verdict.TOO_LARGE;
        }
        value = nearestDouble(text, first, last, exponent);
        return Verdict.WITHIN;
    }

    private static int afterDigits(char[] text, int from, int to) {
        int at = from;
        while (at < to && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        return at;
    }

    private static int exponent(char[] text, int from, int to) {
        int exponent = 0;
        for (int i = from; i < to && exponent < ENDLESS_EXPONENT; i++) {
            exponent = exponent * 10 + (text[i] - '0');
        }
        return exponent;
    }

    /** The digits from the first to the last that is not 0, with the point, wherever it is, moved behind the first. */
    private static double nearestDouble(char[] text, int first, int last, int exponent) {
        if (last - first < MAX_LONG_DIGITS) {
            long digits = 0;
            int scale = exponent + 1;
            for (int i = first; i <= last; i++) {
                if (text[i] != '.') {
                    digits = digits * 10 + (text[i] - '0');
                    scale--;
                }
            }
            // Both operands are exact, so that the one operation rounds once and the result is the nearest double.
            if (digits <= MAX_EXACT_LONG && Math.abs(scale) < EXACT_POWERS.length) {
                return scale < 0 ? digits / EXACT_POWERS[-scale] : digits * EXACT_POWERS[scale];
            }
        }
        StringBuilder decimal = new StringBuilder();
        int scale = exponent + 1;
        for (int i = first; i <= last; i++) {
            if (text[i] != '.') {
                boolean full = decimal.length() == MAX_DIGITS;
                decimal.append(full ? '1' : text[i]);
                scale--;
                if (full) {
                    break;
                }
            }
        }
        return Double.parseDouble(decimal.append('e').append(scale).toString());
    }
}
