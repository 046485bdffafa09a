package dev.springbench.database;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/** Where a database is, and who comes. */
record Login(String address, String user, String password) {

    private static final String SHAPE = "postgresql://user:password@host:port/name";

    /** @param url as libpq writes it; messages never repeat it, for it holds a password */
    static Login parse(String url) throws Unusable {
        URI uri;
        try {
            uri = URI.create(url.strip());
        } catch (IllegalArgumentException mistake) {
            throw Unusable.refused("SPRINGBENCH_DB_URL is not a URL; allowed: " + SHAPE, null);
        }
        boolean known = "postgresql".equals(uri.getScheme()) || "postgres".equals(uri.getScheme());
        String path = uri.getPath();
        boolean more = uri.getRawQuery() != null || uri.getRawFragment() != null;
        boolean whole = uri.getHost() != null && uri.getRawUserInfo() != null && path != null && path.length() > 1;
        if (!known || !whole || more) {
            throw Unusable.refused("SPRINGBENCH_DB_URL is not of the form " + SHAPE, null);
        }
        String[] who = uri.getRawUserInfo().split(":", 2);
        int port = uri.getPort() < 0 ? 5432 : uri.getPort();
        return new Login(
                uri.getHost() + ":" + port + "/" + path.substring(1),
                decoded(who[0]),
                who.length < 2 ? "" : decoded(who[1]));
    }

    Connection connect() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", user);
        properties.setProperty("password", password);
        properties.setProperty("loginTimeout", "10");
        properties.setProperty("ApplicationName", "springbench");
        return DriverManager.getConnection("jdbc:postgresql://" + address, properties);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return user + "@" + address;
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
