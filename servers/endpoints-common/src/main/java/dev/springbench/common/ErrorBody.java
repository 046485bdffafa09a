package dev.springbench.common;

/** What a failed request gets, on every server. */
public record ErrorBody(int status, String error, String message) {

    public static ErrorBody badRequest(String message) {
        return new ErrorBody(400, "Bad Request", message);
    }

    public static ErrorBody notFound() {
        return new ErrorBody(
                404,
                "Not Found",
                "No such route; there are /document, /download, /events, /headers, /hello, /json, /json-in, /orders, "
                        + "/orders/{id}, /pay, /task, /thread, /upload, /upstream, /users and /users/{id}");
    }

    public static ErrorBody noSuchRow(String message) {
        return new ErrorBody(404, "Not Found", message);
    }

    public static ErrorBody methodNotAllowed() {
        return new ErrorBody(
                405,
                "Method Not Allowed",
                "Every route answers GET only, but for POST /json-in, POST /orders and POST /upload");
    }

    public static ErrorBody badGateway() {
        return new ErrorBody(502, "Bad Gateway", "The upstream cannot be reached or did not answer with a status 2xx");
    }

    public static ErrorBody databaseUnavailable() {
        return new ErrorBody(503, "Service Unavailable", "The database cannot be reached or did not answer in time");
    }

    public static ErrorBody databaseSwitchedOff() {
        return new ErrorBody(
                503,
                "Service Unavailable",
                "This server was started without a database; springbench.database names one");
    }

    public static ErrorBody gatewayTimeout() {
        return new ErrorBody(504, "Gateway Timeout", "The upstream did not answer in time");
    }
}
