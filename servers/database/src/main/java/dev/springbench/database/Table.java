package dev.springbench.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The table of users, and with it those of orders: how they are made, and how to tell that they are whole. */
final class Table {

    /** Changes with the rows' content: a table of another version is not used. */
    static final int VERSION = 2;

    private static final int BATCH = 100_000;
    /** insufficient_privilege */
    private static final String FORBIDDEN = "42501";
    /** How far the planner's estimate of the rows may be off. */
    private static final double ESTIMATE_RATIO = 0.02;

    private final Connection connection;
    private final int rows;

    Table(Connection connection, int rows) {
        this.connection = connection;
        this.rows = rows;
    }

    /** Whether the table is there, whole and of this version, at the cost of a few index look-ups. */
    boolean isWhole() throws SQLException {
        return isMarked()
                && number("select coalesce(min(id), 0) from users") == 1
                && number("select coalesce(max(id), 0) from users") == rows
                && number("select count(*) from users where id = " + rows + " and name = 'User " + rows + "'") == 1
                && number("select count(*) from order_lines where order_id = " + Orders.COUNT) == 3
                && Math.abs(estimatedRows() - rows) <= Math.max(1, rows * ESTIMATE_RATIO);
    }

    /** Whether there is a table of that name that springbench did not make. */
    boolean isSomebodyElses() throws SQLException {
        return exists("users") && !exists("springbench_seed");
    }

    /** Makes the table anew. Until the last step there is no marker, so that half a table is never taken for one. */
    void seed(Lines lines) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("drop table if exists users, springbench_seed, " + Orders.TABLES);
            // first, so that a later seeding may drop what an interrupted one left
            statement.execute("create table springbench_seed (version integer not null, rows integer not null)");
            fill(statement, lines);
            statement.execute("vacuum (freeze, analyze) users");
            new Orders(connection).seed();
            statement.execute("insert into springbench_seed values (" + VERSION + ", " + rows + ")");
            checkpoint(statement);
        }
    }

    /** So that nothing of the seeding is written while somebody measures. A server of others may forbid it. */
    private static void checkpoint(Statement statement) throws SQLException {
        try {
            statement.execute("checkpoint");
        } catch (SQLException failure) {
            if (!FORBIDDEN.equals(failure.getSQLState())) {
                throw failure;
            }
        }
    }

    /** In one transaction: where the server's wal_level is minimal, nothing is written twice. */
    private void fill(Statement statement, Lines lines) throws SQLException {
        connection.setAutoCommit(false);
        statement.execute("create table users (id integer not null, name text not null, email text not null,"
                + " city text not null, created_at_epoch_s bigint not null)");
        try (PreparedStatement batch = connection.prepareStatement("insert into users"
                + " select n, 'User ' || n, 'user' || n || '@example.org',"
                + " (array['Bristol', 'Cardiff', 'Dundee', 'Exeter'])[1 + n % 4], 1500000000 + n"
                + " from generate_series(?, ?) n")) {
            for (int first = 1; first <= rows; first += BATCH) {
                int last = Math.min(rows, first + BATCH - 1);
                batch.setInt(1, first);
                batch.setInt(2, last);
                batch.executeUpdate();
                lines.seeding(last, rows);
            }
        }
        statement.execute("set local maintenance_work_mem = '256MB'");
        statement.execute("alter table users add primary key (id)");
        connection.commit();
        connection.setAutoCommit(true);
    }

    private boolean isMarked() throws SQLException {
        return exists("users")
                && exists("springbench_seed")
                && number("select count(*) from springbench_seed where version = " + VERSION + " and rows = " + rows)
                        == 1;
    }

    private double estimatedRows() throws SQLException {
        return number("select reltuples::bigint from pg_class where oid = 'users'::regclass");
    }

    private boolean exists(String table) throws SQLException {
        return number("select count(*) from pg_class where oid = to_regclass('" + table + "')") == 1;
    }

    private long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
