package dev.springbench.database;

import java.io.PrintWriter;

/** What the launcher says: one JSON object a line. */
final class Lines {

    private final PrintWriter out;

    Lines(PrintWriter out) {
        this.out = out;
    }

    void seeding(long rows, long of) {
        say("{\"event\":\"seeding\",\"rows\":%d,\"of\":%d}".formatted(rows, of));
    }

    void ready(Ready ready) {
        say(("{\"event\":\"ready\",\"address\":%s,\"user\":%s,\"version\":%s,\"rows\":%d,\"seeded\":%b,"
                        + "\"max_connections\":%d,\"stats_port\":%d,\"took_ms\":%d}")
                .formatted(
                        quoted(ready.address()),
                        quoted(ready.user()),
                        quoted(ready.version()),
                        ready.rows(),
                        ready.seeded(),
                        ready.maxConnections(),
                        ready.statsPort(),
                        ready.tookMs()));
    }

    void failed(String message) {
        say("{\"event\":\"failed\",\"message\":%s}".formatted(quoted(message)));
    }

    static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted(c));
            } else {
                json.append((char) c);
            }
        });
        return json.append('"').toString();
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** @param address host:port/name, as it stands in the URLs of drivers */
    record Ready(
            String address,
            String user,
            String version,
            long rows,
            boolean seeded,
            int maxConnections,
            int statsPort,
            long tookMs) {}
}
