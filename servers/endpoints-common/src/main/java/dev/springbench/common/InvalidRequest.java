package dev.springbench.common;

/** A request that breaks a route's rules; the message says which values are allowed. */
public final class InvalidRequest extends RuntimeException {

    public InvalidRequest(String message) {
        // No stack trace: it is the caller's mistake, and a flood of them must stay cheap.
        super(message, null, false, false);
    }
}
