package dev.springbench.common;

/** A well-formed id that no row has. */
public final class NoSuchRow extends RuntimeException {

    private NoSuchRow(String kind) {
        super("No " + kind + " has this id", null, false, false);
    }

    public static NoSuchRow user() {
        return new NoSuchRow("user");
    }

    public static NoSuchRow order() {
        return new NoSuchRow("order");
    }
}
