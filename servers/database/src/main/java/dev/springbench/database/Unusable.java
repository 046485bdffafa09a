package dev.springbench.database;

/** Why there is no database to measure with; the message says what to do. */
final class Unusable extends Exception {

    private final int exitCode;

    private Unusable(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** A person pointed to something that cannot or must not be used. */
    static Unusable refused(String message, Throwable cause) {
        return new Unusable(Main.BAD_OPTION, message, cause);
    }

    /** This host cannot run it. */
    static Unusable cannotRun(String message, Throwable cause) {
        return new Unusable(Main.CANNOT_RUN, message, cause);
    }

    int exitCode() {
        return exitCode;
    }
}
