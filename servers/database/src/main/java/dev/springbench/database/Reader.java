package dev.springbench.database;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;

/**
 * The servers that are measured: they may read the tables and create orders, and nothing else.
 *
 * @param listen address of this host that PostgreSQL listens on for them
 * @param from the one address that they come from
 * @param password of letters and digits
 */
record Reader(InetAddress listen, InetAddress from, String password) {

    static final String USER = "springbench_reader";
    private static final Pattern PASSWORD = Pattern.compile("[0-9A-Za-z]{16,128}");

    private static final Pattern ADDRESS =
            Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    static Reader of(String listen, String from, Path passwordFile) throws Unusable {
        try {
            String password = Files.readString(passwordFile).strip();
            if (!PASSWORD.matcher(password).matches()) {
                throw Unusable.refused("--reader-password-file: must hold 16 to 128 letters and digits", null);
            }
            return new Reader(address("--listen", listen), address("--reader-from", from), password);
        } catch (IOException unreadable) {
            throw Unusable.refused("--reader-password-file: " + unreadable.getMessage(), unreadable);
        }
    }

    /** Lets it in, and keeps it to reading. The table is there. */
    void admit(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "do $$ begin create role " + USER + "; exception when duplicate_object then null; end $$");
            statement.execute(
                    "alter role " + USER + " login nosuperuser password '" + Access.verifier(USER, password) + "'");
            statement.execute("grant select on users, " + Orders.TABLES + " to " + USER);
            statement.execute("grant insert on orders, order_lines to " + USER);
        }
    }

    Login login(int port) {
        String host = listen.getHostAddress();
        String there = host.contains(":") ? "[" + host + "]" : host;
        return new Login(there + ":" + port + "/" + Embedded.OWNER, USER, password);
    }

    /** Of numbers only: no name is looked up. */
    private static InetAddress address(String option, String given) throws Unusable, IOException {
        if (!ADDRESS.matcher(given).matches()) {
            throw Unusable.refused(option + ": must be an address of numbers, not " + given, null);
        }
        return InetAddress.getByName(given);
    }
}
