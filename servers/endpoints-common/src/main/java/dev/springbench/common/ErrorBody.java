package dev.springbench.common;

/** What a failed request gets, on every server. */
public record ErrorBody(int status, String error, String message) {

    public static ErrorBody badRequest(String message) {
        return new ErrorBody(400, "Bad Request", message);
    }

    public static ErrorBody notFound() {
        return new ErrorBody(
                404, "Not Found", "No such route; there are /hello, /json, /pay, /task, /thread and /upstream");
    }

    public static ErrorBody methodNotAllowed() {
        return new ErrorBody(405, "Method Not Allowed", "Every route answers GET only");
    }

    public static ErrorBody badGateway() {
        return new ErrorBody(502, "Bad Gateway", "The upstream cannot be reached or did not answer with a status 2xx");
    }

    public static ErrorBody gatewayTimeout() {
        return new ErrorBody(504, "Gateway Timeout", "The upstream did not answer in time");
    }
}
