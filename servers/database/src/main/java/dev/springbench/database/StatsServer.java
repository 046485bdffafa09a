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
 * how many were busy at once (Little, 1961): the number to hold against the size of a pool.
 */
final class StatsServer implements AutoCloseable {

    private static final String BUSY =
            "select active_time, numbackends from pg_stat_database" + " where datname = current_database()";

    private final HttpServer http;
    private final Connection connection;

    StatsServer(Connection connection, InetAddress listen) throws IOException {
        this.connection = connection;
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
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(BUSY)) {
            row.next();
            return "{\"active_ms\":%s,\"connections\":%d}".formatted(row.getDouble(1), row.getInt(2));
        }
    }
}
