package dev.springbench.upstream;

import java.util.Locale;

/** A request line with the headers that matter here: whether the connection stays, and how long a body to skip. */
record RequestHead(String method, String path, boolean close, int bodyBytes) {

    private static final int MAX_BODY_BYTES = 1024 * 1024;
    private static final String HTTP_1_0 = "HTTP/1.0";
    private static final String HTTP_1_1 = "HTTP/1.1";

    /** A request that cannot be answered properly: after it the connection cannot be trusted, and closes. */
    static final class Refused extends Exception {
        final Responses.Error response;

        Refused(Responses.Error response) {
            super(response.name(), null, false, false);
            this.response = response;
        }
    }

    /** @param head everything before the empty line, lines separated by CRLF */
    static RequestHead parse(String head) throws Refused {
        int lineEnd = endOfLine(head, 0);
        int methodEnd = head.indexOf(' ');
        int targetEnd = methodEnd < 0 ? -1 : head.indexOf(' ', methodEnd + 1);
        if (methodEnd <= 0 || targetEnd < 0 || targetEnd > lineEnd || head.charAt(methodEnd + 1) != '/') {
            throw new Refused(Responses.Error.MALFORMED);
        }
        String version = head.substring(targetEnd + 1, lineEnd);
        boolean close = version.equals(HTTP_1_0);
        if (!close && !version.equals(HTTP_1_1)) {
            throw new Refused(Responses.Error.MALFORMED);
        }
        int bodyBytes = 0;
        for (int start = lineEnd + 2; start < head.length(); start = lineEnd + 2) {
            lineEnd = endOfLine(head, start);
            int colon = head.indexOf(':', start);
            if (colon <= start || colon > lineEnd || head.charAt(colon - 1) == ' ') {
                throw new Refused(Responses.Error.MALFORMED);
            }
            int nameLength = colon - start;
            if (is(head, start, nameLength, "connection")) {
                String value = head.substring(colon + 1, lineEnd).strip().toLowerCase(Locale.ROOT);
                close = value.contains("close") || close && !value.contains("keep-alive");
            } else if (is(head, start, nameLength, "content-length")) {
                bodyBytes = length(head.substring(colon + 1, lineEnd).strip());
            } else if (is(head, start, nameLength, "transfer-encoding")) {
                throw new Refused(Responses.Error.ENCODED_BODY);
            }
        }
        return new RequestHead(head.substring(0, methodEnd), path(head, methodEnd + 1, targetEnd), close, bodyBytes);
    }

    private static int endOfLine(String head, int from) {
        int end = head.indexOf("\r\n", from);
        return end < 0 ? head.length() : end;
    }

    private static boolean is(String head, int start, int length, String name) {
        return length == name.length() && head.regionMatches(true, start, name, 0, length);
    }

    private static String path(String head, int start, int end) {
        int query = head.indexOf('?', start);
        return head.substring(start, query < 0 || query > end ? end : query);
    }

    private static int length(String digits) throws Refused {
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new Refused(Responses.Error.MALFORMED);
        }
        if (digits.length() > 9 || Integer.parseInt(digits) > MAX_BODY_BYTES) {
            throw new Refused(Responses.Error.BODY_TOO_LARGE);
        }
        return Integer.parseInt(digits);
    }
}
