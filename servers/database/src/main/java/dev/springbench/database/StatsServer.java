package dev.springbench.database;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Answers {@code GET /stats}. The time that all connections together spent in statements, over the time that passed, is
 * how many were busy at once (Little, 1961): the number to hold against the size of a pool. How many statements were
 * executed is counted where the extension {@value #COUNTER} is loaded; those that control transactions do not count.
 */
final class StatsServer implements AutoCloseable {

    static final String COUNTER = "pg_stat_statements";

    private static final String BUSY =
            "select active_time, numbackends from pg_stat_database" + " where datname = current_database()";
    private static final String COUNTED = "select coalesce(sum(calls), 0) from " + COUNTER
            + " where dbid = (select oid from pg_database where datname = current_database())"
            // nor its own
            + " and query !~* '^\\s*(begin|start|commit|end|rollback|abort|savepoint|release|set|reset|show|discard)\\M"
            + "|pg_stat_'";

    private final HttpServer http;
    private final Connection connection;
    private final boolean counts;

    StatsServer(Connection connection, InetAddress listen) throws IOException {
        this.connection = connection;
        counts = counts(connection);
        http = HttpServer.create(new InetSocketAddress(listen, 0), 0);
        http.createContext("/stats", this::answer);
        http.start();
    }

    int port() {
        return http.getAddress().getPort();
    }

    @Override
    public void close() {
        http.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status = 200;
        String body;
        try {
            body = stats();
        } catch (SQLException failure) {
            status = 503;
            body = "{\"error\":" + Lines.quoted(String.valueOf(failure.getMessage())) + "}";
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    private String stats() throws SQLException {
        Long statements = counts ? executed(connection) : null;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(BUSY)) {
            row.next();
            return "{\"active_ms\":%s,\"connections\":%d,\"statements\":%d}"
                    .formatted(row.getDouble(1), row.getInt(2), statements);
        }
    }

    /** Into a server of our own, which loads it; one of somebody else keeps what it has. */
    static void install(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create extension if not exists " + COUNTER);
        }
    }

    private static boolean counts(Connection connection) {
        try {
            executed(connection);
            return true;
        } catch (SQLException lacking) {
            return false;
        }
    }

    private static long executed(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COUNTED)) {
            row.next();
            return row.getLong(1);
        }
    }
}
