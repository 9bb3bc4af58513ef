package io.stockstats.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.LocalDate;
import java.time.Month;
import java.time.chrono.IsoChronology;

/** An event time as it stands in a trade: an integer in the feed's unit, or an RFC 3339 date-time. */
final class TimestampField {

    /** What stands there. */
    enum Verdict {
        ABSENT,
        UNREADABLE,
        READ
    }

    private static final int SHORTEST_DATE_TIME = "2026-11-30T14:30:00Z".length();
    private static final int SECONDS_PER_DAY = 86_400;
    private static final int NANO_DIGITS = 9;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long MOST_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND;

    private final TimestampUnit unit;
    private Verdict verdict = Verdict.ABSENT;
    private long nanos;
    private String seen = "";

    TimestampField(TimestampUnit unit) {
        this.unit = unit;
    }

    Verdict verdict() {
        return verdict;
    }

    /**
     * Nanoseconds since the epoch, when the verdict is {@link Verdict#READ}; {@link Long#MIN_VALUE} or
     * {@link Long#MAX_VALUE} when that is too far.
     */
    long nanos() {
        return nanos;
    }

    /** What stands there, fit to be shown, when it cannot be read. */
    String seen() {
        return seen;
    }

    /** Takes the value that the parser is at; the start of an object or array is not left. */
    void read(JsonToken token, JsonParser parser) throws IOException {
        nanos = 0;
        seen = "";
        switch (token) {
            case VALUE_NULL -> verdict = Verdict.ABSENT;
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                char[] text = parser.getTextCharacters();
                int from = parser.getTextOffset();
                int to = from + parser.getTextLength();
                boolean string = token == JsonToken.VALUE_STRING;
                if (readInteger(text, from, to) || (string && readDateTime(text, from, to))) {
                    verdict = Verdict.READ;
                } else {
                    verdict = Verdict.UNREADABLE;
                    seen = string ? Seen.quoted(text, from, to) : Seen.plain(text, from, to);
                }
            }
            default -> {
                verdict = Verdict.UNREADABLE;
                seen = Seen.kind(token);
            }
        }
    }

    private boolean readInteger(char[] text, int from, int to) {
        boolean negative = from < to && text[from] == '-';
        int first = negative ? from + 1 : from;
        if (first == to || (text[first] == '0' && to - first > 1)) {
            return false;
        }
        long count = 0;
        boolean endless = false;
        for (int i = first; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            endless |= count > (Long.MAX_VALUE - digit) / 10;
            count = endless ? Long.MAX_VALUE : count * 10 + digit;
        }
        nanos = unit.toNanos(negative ? -count : count);
        return true;
    }

    private boolean readDateTime(char[] text, int from, int to) {
        if (to - from < SHORTEST_DATE_TIME
                || text[from + 4] != '-'
                || text[from + 7] != '-'
                || !separates(text[from + 10])
                || text[from + 13] != ':'
                || text[from + 16] != ':') {
            return false;
        }
        int century = twoDigits(text, from);
        int yearOfCentury = twoDigits(text, from + 2);
        int month = twoDigits(text, from + 5);
        int day = twoDigits(text, from + 8);
        int hour = twoDigits(text, from + 11);
        int minute = twoDigits(text, from + 14);
        int second = twoDigits(text, from + 17);
        if ((century | yearOfCentury | month | day | hour | minute | second) < 0) {
            return false;
        }
        int year = century * 100 + yearOfCentury;
        if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 60) {
            return false;
        }
        int at = from + 19;
        int fraction = 0;
        if (text[at] == '.') {
            int digits = 0;
            at++;
            for (; at < to && text[at] >= '0' && text[at] <= '9'; at++) {
                if (digits < NANO_DIGITS) {
                    fraction = fraction * 10 + (text[at] - '0');
                    digits++;
                }
            }
            if (digits == 0) {
                return false;
            }
            for (; digits < NANO_DIGITS; digits++) {
                fraction *= 10;
            }
        }
        int offset;
        if (to - at == 1 && (text[at] == 'Z' || text[at] == 'z')) {
            offset = 0;
        } else if (to - at == 6 && (text[at] == '+' || text[at] == '-') && text[at + 3] == ':') {
            int hours = twoDigits(text, at + 1);
            int minutes = twoDigits(text, at + 4);
            if ((hours | minutes) < 0 || hours > 23 || minutes > 59) {
                return false;
            }
            offset = (text[at] == '-' ? -1 : 1) * (hours * 60 + minutes) * 60;
        } else {
            return false;
        }
        long seconds = LocalDate.of(year, month, day).toEpochDay() * SECONDS_PER_DAY
                + (hour * 60L + minute) * 60
                + second
                - offset;
        // A leap second follows 23:59:59 UTC, so the second that it is taken for begins a day.
        if (second == 60 && Math.floorMod(seconds, SECONDS_PER_DAY) != 0) {
            return false;
        }
        nanos = nanos(seconds, fraction);
        return true;
    }

    private static boolean separates(char c) {
        return c == 'T' || c == 't' || c == ' ';
    }

    /** The number that two digits make, negative when they are not two digits. */
    private static int twoDigits(char[] text, int at) {
        int tens = text[at] - '0';
        int ones = text[at + 1] - '0';
        return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
    }

    private static boolean isDay(int year, int month, int day) {
        return month >= 1
                && month <= 12
                && day >= 1
                && day <= Month.of(month).length(IsoChronology.INSTANCE.isLeapYear(year));
    }

    private static long nanos(long seconds, int fraction) {
        if (seconds >= MOST_SECONDS) {
            return Long.MAX_VALUE;
        }
        return seconds < -MOST_SECONDS ? Long.MIN_VALUE : seconds * NANOS_PER_SECOND + fraction;
    }
}
