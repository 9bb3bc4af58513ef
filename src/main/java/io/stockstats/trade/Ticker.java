package io.stockstats.trade;

/**
 * The symbol that trades are grouped by: 1 to 64 code points, without white space, control characters, comma and
 * semicolon, and neither {@code .} nor {@code ..}. Case matters. {@code BRK.B}, {@code BTC/USDT}, {@code ^GSPC} and
 * {@code 币安人生USDT} are tickers.
 *
 * @param symbol the symbol, as it stands in the record's key
 */
public record Ticker(String symbol) implements Comparable<Ticker> {

    /** The largest number of code points in a symbol. */
    public static final int MAX_CODE_POINTS = 64;

    /**
     * @throws IllegalArgumentException if {@code symbol} is outside the rule above; the message says which part of it
     */
    public Ticker {
        String fault = faultIn(symbol);
        if (!fault.isEmpty()) {
            throw new IllegalArgumentException(fault);
        }
    }

    /** What keeps {@code symbol} from being a ticker, in words that fit behind "ticker"; empty when nothing does. */
    public static String faultIn(String symbol) {
        if (symbol.isEmpty()) {
            return "is empty";
        }
        if (symbol.equals(".") || symbol.equals("..")) {
            return "is a dot segment";
        }
        int codePoints = 0;
        for (int i = 0; i < symbol.length(); ) {
            int c = symbol.codePointAt(i);
            i += Character.charCount(c);
            if (++codePoints > MAX_CODE_POINTS) {
                return "is longer than " + MAX_CODE_POINTS + " code points";
            }
            if (!allowed(c)) {
                return "holds the character U+" + String.format("%04X", c);
            }
        }
        return "";
    }

    private static boolean allowed(int c) {
        if (c < 0x80) {
            return c > ' ' && c < 0x7F && c != ',' && c != ';';
        }
        return !Character.isISOControl(c)
                && !Character.isSpaceChar(c)
                && !Character.isWhitespace(c)
                && Character.getType(c) != Character.SURROGATE;
    }

    /** Ascending by code point, which is also the order of the symbols' UTF-8 bytes. */
    @Override
    public int compareTo(Ticker other) {
        String a = symbol;
        String b = other.symbol;
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char ca = a.charAt(i);
            char cb = b.charAt(i);
            if (ca != cb) {
                // A surrogate stands for a code point above every other char, whatever its own value.
                boolean sa = Character.isSurrogate(ca);
                boolean sb = Character.isSurrogate(cb);
                return sa == sb ? Character.compare(ca, cb) : sa ? 1 : -1;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    @Override
    public String toString() {
        return symbol;
    }
}
