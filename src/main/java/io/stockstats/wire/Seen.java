package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonToken;
import java.util.HexFormat;

/** Foreign text made fit to be shown in a rejection's detail: cut, on one line, and valid Unicode. */
final class Seen {

    private static final int MAX_CHARS = 60;

    private Seen() {}

    /** The text as it is, for what is known to be a number. */
    static String plain(char[] text, int from, int to) {
        StringBuilder shown = new StringBuilder();
        append(shown, text, from, to);
        return shown.toString();
    }

    /** The text in quotation marks. */
    static String quoted(char[] text, int from, int to) {
        StringBuilder shown = new StringBuilder("\"");
        append(shown, text, from, to);
        return shown.append('"').toString();
    }

    /** The text in quotation marks. */
    static String quoted(String text) {
        // One char more than is shown, so that the cut shows, and one more again for the half of a pair.
        char[] head = text.substring(0, Math.min(text.length(), MAX_CHARS + 2)).toCharArray();
        return quoted(head, 0, head.length);
    }

    /** The bytes as text in quotation marks; what is not UTF-8 in them shows as replacement characters. */
    static String quoted(byte[] utf8) {
        return quoted(Utf8.lenient(utf8, 4 * (MAX_CHARS + 2)));
    }

    /** A JSON value that is neither a string nor a number, in words. */
    static String kind(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> "a JSON object";
            case START_ARRAY -> "a JSON array";
            case VALUE_TRUE -> "true";
            case VALUE_FALSE -> "false";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> "a JSON string";
            default -> "a JSON number";
        };
    }

    /** The text, cut to so many chars without halving a surrogate pair. */
    static String cut(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxChars - 2)) ? maxChars - 2 : maxChars - 1;
        return text.substring(0, end) + "…";
    }

    private static void append(StringBuilder shown, char[] text, int from, int to) {
        int most = shown.length() + MAX_CHARS;
        for (int i = from; i < to; ) {
            if (shown.length() >= most) {
                shown.append('…');
                return;
            }
            int c = Character.codePointAt(text, i, to);
            int chars = Character.charCount(c);
            if (showable(c)) {
                shown.appendCodePoint(c);
            } else {
                for (int j = i; j < i + chars; j++) {
                    shown.append("\\u").append(HexFormat.of().toHexDigits(text[j]));
                }
            }
            i += chars;
        }
    }

    // What breaks a line, turns the writing direction or cannot be encoded would garble the line that shows it.
    private static boolean showable(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
