package dev.springbench.contract;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** A real PostgreSQL with a few users, which can be stopped, started again and made to wait. */
final class TestDatabase implements AutoCloseable {

    static final int USERS = 100;
    static final int ORDERS = 300;
    static final int POOL_SIZE = 4;

    private final Path data;
    private EmbeddedPostgres postgres;
    private final int port;

    TestDatabase(Path data) {
        this.data = data;
        postgres = start(0);
        port = postgres.getPort();
        execute(
                "create table users (id integer primary key, name text not null, email text not null,"
                        + " city text not null, created_at_epoch_s bigint not null)",
                "insert into users select n, 'User ' || n, 'user' || n || '@example.org', 'Dundee', 1500000000 + n"
                        + " from generate_series(1, " + USERS + ") n",
                orders());
    }

    /** @return what a server has to be told */
    Map<String, String> properties(int timeoutMs) {
        return Map.of(
                "springbench.database.address",
                "127.0.0.1:" + port + "/postgres",
                "springbench.database.user",
                "postgres",
                "springbench.database.pool-size",
                String.valueOf(POOL_SIZE),
                "springbench.database.timeout-ms",
                String.valueOf(timeoutMs));
    }

    /** How many connections the server under test has open. */
    int connections() {
        try (Connection connection = connection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where backend_type = 'client backend' and pid <> pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** No row can be read until the result is closed. */
    Connection locked() {
        try {
            Connection connection = connection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("lock table users in access exclusive mode");
            }
            return connection;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** The tables that a measurement has, with fewer rows. */
    private static String orders() {
        try (InputStream file = TestDatabase.class.getResourceAsStream("/dev/springbench/database/orders.sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(":orders", String.valueOf(ORDERS))
                    .replace(":customers", "10")
                    .replace(":next", String.valueOf(ORDERS + 1));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    void down() {
        close();
    }

    void up() {
        postgres = start(port);
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private EmbeddedPostgres start(int port) {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "off");
            return (port == 0 ? builder : builder.setPort(port)).start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void execute(String... statements) {
        try (Connection connection = connection();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Connection connection() throws SQLException {
        return postgres.getPostgresDatabase().getConnection();
    }
}
