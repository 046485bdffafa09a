package dev.springbench.database;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A server on another host: it may read the table, and nothing else.
 *
 * @param listen address of this host that PostgreSQL listens on beside the loopback
 * @param from the one address that it comes from
 * @param password of letters and digits, so that it is no danger in a statement
 */
record Reader(InetAddress listen, InetAddress from, String password) {

    private static final String USER = "springbench_reader";
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
    void admit(Connection connection, Path data) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "do $$ begin create role " + USER + "; exception when duplicate_object then null; end $$");
            statement.execute("set password_encryption = 'scram-sha-256'");
            statement.execute("alter role " + USER + " login nosuperuser password '" + password + "'");
            statement.execute("grant select on users to " + USER);
            Files.write(data.resolve("pg_hba.conf"), access());
            statement.execute("select pg_reload_conf()");
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

    private List<String> access() {
        int bits = 8 * from.getAddress().length;
        return List.of(
                "local all all trust",
                "host all all " + Embedded.LOOPBACK + "/32 trust",
                "host all all ::1/128 trust",
                "host %s %s %s/%d scram-sha-256".formatted(Embedded.OWNER, USER, from.getHostAddress(), bits));
    }
}
