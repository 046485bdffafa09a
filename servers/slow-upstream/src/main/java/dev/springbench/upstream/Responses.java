package dev.springbench.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;

/** Whole responses, formatted once where they never change. */
final class Responses {

    static final String TEXT = "text/plain;charset=UTF-8";
    private static final String SLOW_TEXT =
            "The slow upstream took its time. These bytes never change: what varies is how long they take.\n";
    private static final ByteBuf SLOW = constant(format("200 OK", TEXT, "", SLOW_TEXT));
    private static final ByteBuf SLOW_BODY = constant(SLOW_TEXT);
    private static final ByteBuf RESET = constant(format("200 OK", TEXT, "", "The statistics start anew.\n"));

    /** An empty message of OTLP: all was taken. */
    private static final ByteBuf TRACED = constant(format("200 OK", "application/x-protobuf", "", ""));

    /** Refusals. All but the wrong method leave it unclear where the next request starts. */
    enum Error {
        MALFORMED("400 Bad Request", "Not an HTTP/1.1 request.\n"),
        WRONG_METHOD(
                "405 Method Not Allowed",
                "Allow: GET\r\n",
                "Only GET is answered, and POST on /stats/reset and /v1/traces.\n"),
        BODY_TOO_LARGE("413 Content Too Large", "A request body may have 1 MB.\n"),
        HEAD_TOO_LARGE("431 Request Header Fields Too Large", "Request line and headers may have 8 kB.\n"),
        ENCODED_BODY("501 Not Implemented", "Transfer-Encoding is not understood.\n");

        private final ByteBuf bytes;

        Error(String status, String body) {
            this(status, "Connection: close\r\n", body);
        }

        Error(String status, String headers, String body) {
            this.bytes = constant(format(status, TEXT, headers, body));
        }

        ByteBuf bytes() {
            return bytes.duplicate();
        }
    }

    private Responses() {}

    static ByteBuf slow() {
        return SLOW.duplicate();
    }

    /** Of HTTP/2, whose headers are no text. */
    static ByteBuf slowBody() {
        return SLOW_BODY.duplicate();
    }

    static ByteBuf reset() {
        return RESET.duplicate();
    }

    static ByteBuf traced() {
        return TRACED.duplicate();
    }

    static ByteBuf json(String body) {
        return Unpooled.copiedBuffer(format("200 OK", "application/json", "", body), StandardCharsets.US_ASCII);
    }

    private static String format(String status, String contentType, String headers, String body) {
        return "HTTP/1.1 " + status + "\r\nContent-Type: " + contentType + "\r\nContent-Length: " + body.length()
                + "\r\n" + headers + "\r\n" + body;
    }

    private static ByteBuf constant(String response) {
        byte[] bytes = response.getBytes(StandardCharsets.US_ASCII);
        // Off the heap, as a socket takes it without another copy.
        return Unpooled.unreleasableBuffer(
                Unpooled.directBuffer(bytes.length).writeBytes(bytes).asReadOnly());
    }
}
