package dev.springbench.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables of the realistic service. What servers create in them goes when the next one starts. */
final class Orders {

    static final int COUNT = 100_000;
    private static final int CUSTOMERS = 5_000;
    /** Dropped in this order. */
    static final String TABLES = "order_lines, orders, products";

    private final Connection connection;

    Orders(Connection connection) {
        this.connection = connection;
    }

    void seed() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql());
            statement.execute("vacuum (freeze, analyze) " + TABLES);
        }
    }

    /** Takes out what an earlier run has created. */
    void forgetNew() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("delete from order_lines where order_id > " + COUNT);
            if (statement.executeUpdate("delete from orders where id > " + COUNT) > 0) {
                statement.execute("vacuum (analyze) order_lines, orders");
            }
            statement.execute("alter table orders alter id restart with " + (COUNT + 1));
        }
    }

    private static String sql() {
        try (InputStream file = Orders.class.getResourceAsStream("orders.sql")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(":orders", String.valueOf(COUNT))
                    .replace(":customers", String.valueOf(CUSTOMERS))
                    .replace(":next", String.valueOf(COUNT + 1));
        } catch (IOException missing) {
            throw new IllegalStateException("orders.sql is not in the jar", missing);
        }
    }
}
