package io.stockstats.topology;

/** The state on disk or in the changelog was made with settings that the present ones do not fit. */
public final class StateGeometryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StateGeometryException(String message) {
        super(message);
    }
}
