package dev.springbench.common;

/** A well-formed id that no row has. */
public final class NoSuchUser extends RuntimeException {

    public NoSuchUser() {
        super(null, null, false, false);
    }
}
