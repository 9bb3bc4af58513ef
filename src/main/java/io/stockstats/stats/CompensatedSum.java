package io.stockstats.stats;

/**
 * A sum that keeps about 106 bits: the double {@code hi} and what rounding left over, {@code lo} (double-double
 * arithmetic, after T. J. Dekker, "A floating-point technique for extending the available precision", 1971, with
 * Knuth's error-free addition). A plain double sum over a day of trades drifts far beyond the promised 1e-12.
 *
 * @param hi the sum, rounded to a double
 * @param lo the rest, at most half a unit in the last place of {@code hi}
 */
public record CompensatedSum(double hi, double lo) {

    static final CompensatedSum ZERO = new CompensatedSum(0, 0);

    static CompensatedSum of(double value) {
        return new CompensatedSum(value, 0);
    }

    /** The product of two doubles, without rounding error as long as nothing underflows. */
    static CompensatedSum product(double a, double b) {
        double p = a * b;
        return new CompensatedSum(p, Math.fma(a, b, -p));
    }

    CompensatedSum plus(double value) {
        double s = hi + value;
        return normalised(s, errorOf(hi, value, s) + lo);
    }

    CompensatedSum plus(CompensatedSum other) {
        double s = hi + other.hi;
        double t = lo + other.lo;
        double e = errorOf(hi, other.hi, s) + t;
        double s2 = s + e;
        double e2 = e - (s2 - s);
        return normalised(s2, e2 + errorOf(lo, other.lo, t));
    }

    /** What rounding took from {@code s = a + b}. */
    private static double errorOf(double a, double b, double s) {
        double bRounded = s - a;
        return (a - (s - bRounded)) + (b - bRounded);
    }

    private static CompensatedSum normalised(double s, double e) {
        double hi = s + e;
        return new CompensatedSum(hi, e - (hi - s));
    }
}
