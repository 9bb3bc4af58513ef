package io.stockstats.wire;

/** State that this version cannot read: written by a later version, or not by Stockstats at all. */
public final class UnknownFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnknownFormatException(String message) {
        super(message);
    }
}
