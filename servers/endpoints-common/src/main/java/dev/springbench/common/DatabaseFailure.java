package dev.springbench.common;

/** Why a read gave no row. */
public final class DatabaseFailure extends RuntimeException {

    private final ErrorBody body;

    private DatabaseFailure(ErrorBody body, Throwable cause) {
        super(body.message(), cause, false, false);
        this.body = body;
    }

    public static DatabaseFailure unusable(Throwable cause) {
        return new DatabaseFailure(ErrorBody.databaseUnavailable(), cause);
    }

    /** The server was started without {@code springbench.database}. */
    public static DatabaseFailure switchedOff() {
        return new DatabaseFailure(ErrorBody.databaseSwitchedOff(), null);
    }

    public ErrorBody body() {
        return body;
    }
}
