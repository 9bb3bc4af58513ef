package io.stockstats.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** UTF-8 that is either valid to its last byte or refused. */
final class Utf8 {

    private Utf8() {}

    /**
     * Decodes all of {@code bytes} into {@code chars}, which is at least as long.
     *
     * @return the number of chars; or, when the bytes are not valid UTF-8, −1 − n with n the offset of the first wrong
     *     byte
     */
    static int decode(byte[] bytes, char[] chars) {
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b < 0) {
                return decodeFrom(i, bytes, chars);
            }
            chars[i] = (char) b;
        }
        return bytes.length;
    }

    /** The first so many bytes as text, with replacement characters for what is not valid. */
    static String lenient(byte[] bytes, int most) {
        return new String(bytes, 0, Math.min(bytes.length, most), StandardCharsets.UTF_8);
    }

    private static int decodeFrom(int start, byte[] bytes, char[] chars) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes, start, bytes.length - start);
        CharBuffer out = CharBuffer.wrap(chars, start, chars.length - start);
        CoderResult result = decoder.decode(in, out, true);
        return result.isError() ? -1 - in.position() : out.position();
    }
}
