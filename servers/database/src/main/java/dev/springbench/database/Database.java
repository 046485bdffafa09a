package dev.springbench.database;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "database",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        version = "database " + Table.VERSION,
        description = {
            "Starts a PostgreSQL of its own with tables of users and orders, filled once and kept in a folder.",
            "Says on stdout, one JSON object a line, how far it is, and `ready`. Ends with SIGTERM.",
            ""
        },
        footer = {"", "Example: database --data .tools/database --port 5433 --reader-password-file password"})
final class Database implements Callable<Integer> {

    static final String URL = "SPRINGBENCH_DB_URL";

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--data",
            defaultValue = "database",
            description = "folder kept between runs; default ${DEFAULT-VALUE}")
    private Path data;

    @Option(names = "--port", defaultValue = "5433", description = "default ${DEFAULT-VALUE}")
    private int port;

    @Option(names = "--rows", defaultValue = "6000000", description = "of the table; default ${DEFAULT-VALUE}")
    private int rows;

    @Option(names = "--max-connections", defaultValue = "100", description = "default ${DEFAULT-VALUE}")
    private int maxConnections;

    @ArgGroup(exclusive = false)
    private Elsewhere elsewhere;

    @Option(
            names = "--reader-password-file",
            description = "holds the password of the user " + Reader.USER + ", as 16 to 128 letters and digits")
    private Path passwordFile;

    /** Of servers on another host: both, or none. */
    static final class Elsewhere {

        @Option(names = "--listen", required = true, description = "address of this host for readers of another one")
        private String listen;

        @Option(names = "--reader-from", required = true, description = "the one address that readers come from")
        private String from;
    }

    @Option(names = "--existing", description = "use the server that the environment's " + URL + " points to")
    private boolean existing;

    @Option(names = "--seed", description = "with --existing: make the table there when it is not there")
    private boolean seed;

    @Option(names = "--stop-with-stdin", description = "end when the standard input does")
    private boolean stopWithStdin;

    @Override
    public Integer call() throws Unusable, IOException, InterruptedException {
        between("--port", port, 1, 65_535);
        between("--rows", rows, 1, 100_000_000);
        between("--max-connections", maxConnections, 10, 10_000);
        long startedAt = System.nanoTime();
        if (existing) {
            Login login = Login.parse(url());
            serve(
                    new Served(login, login, InetAddress.getLoopbackAddress(), connection -> {}, this::awaitStop),
                    startedAt);
            return 0;
        }
        if (passwordFile == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--reader-password-file: is missing; it names a file with 16 to 128 letters and digits");
        }
        Reader reader = elsewhere == null
                ? Reader.of(Embedded.LOOPBACK, Embedded.LOOPBACK, passwordFile)
                : Reader.of(elsewhere.listen, elsewhere.from, passwordFile);
        String layout = "pg17-seed" + Table.VERSION + "-" + rows;
        try (Embedded postgres = Embedded.start(data.toAbsolutePath(), layout, port, maxConnections, reader)) {
            serve(served(postgres, reader), startedAt);
        }
        return 0;
    }

    private Served served(Embedded postgres, Reader reader) {
        Login readers = reader.login(postgres.port());
        Admission admission = connection -> {
            StatsServer.install(connection);
            reader.admit(connection);
        };
        return new Served(postgres.login(), readers, reader.listen(), admission, () -> awaitStop(postgres));
    }

    private void serve(Served served, long startedAt) throws Unusable, IOException, InterruptedException {
        Lines lines = new Lines(spec.commandLine().getOut());
        Login login = served.login();
        try (Connection connection = connect(login)) {
            boolean seeded = provide(connection, login, lines);
            served.admission().open(connection);
            try (StatsServer stats = new StatsServer(connection, served.listen())) {
                lines.ready(new Lines.Ready(
                        served.readers().address(),
                        served.readers().user(),
                        setting(connection, "server_version"),
                        rows,
                        seeded,
                        Integer.parseInt(setting(connection, "max_connections")),
                        stats.port(),
                        (System.nanoTime() - startedAt) / 1_000_000));
                served.until().untilStopped();
            }
        } catch (SQLException failure) {
            throw Unusable.cannotRun("the database at " + login + " failed: " + failure.getMessage(), failure);
        }
    }

    /** @return whether the table had to be made */
    private boolean provide(Connection connection, Login login, Lines lines) throws SQLException, Unusable {
        Table table = new Table(connection, rows);
        if (table.isWhole()) {
            new Orders(connection).forgetNew();
            return false;
        }
        if (table.isSomebodyElses()) {
            throw Unusable.refused(
                    "the database at " + login + " has a table users that is not springbench's; give another database",
                    null);
        }
        if (existing && !seed) {
            throw Unusable.refused(
                    "the database at " + login + " lacks the table of " + rows
                            + " users; --seed-database makes it there",
                    null);
        }
        table.seed(lines);
        return true;
    }

    private Connection connect(Login login) throws Unusable {
        try {
            return login.connect();
        } catch (SQLException failure) {
            throw Unusable.refused(
                    "the database at " + login + " cannot be used: " + failure.getMessage() + "; check " + URL,
                    failure);
        }
    }

    private String url() {
        String url = System.getenv(URL);
        if (url == null || url.isBlank()) {
            throw new ParameterException(spec.commandLine(), "--existing: " + URL + " is not set");
        }
        return url;
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    private void awaitStop(Embedded postgres) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                postgres.awaitEnd();
            } catch (IOException unreadable) {
                // its data folder is gone, and so is the database
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            end.countDown();
        });
        watchStdin(end);
        end.await();
    }

    private void awaitStop() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        watchStdin(end);
        end.await();
    }

    private void watchStdin(CountDownLatch end) {
        if (!stopWithStdin) {
            return;
        }
        Thread.ofPlatform().daemon().start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // what is said there means nothing
                }
            } catch (IOException gone) {
                // as good as its end
            }
            end.countDown();
        });
    }

    private void between(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be " + least + " to " + most + ", not " + value);
        }
    }

    /**
     * A database, and who may use it.
     *
     * @param login its owner's
     * @param readers that of the servers that are measured
     * @param listen where its figures can be read
     */
    private record Served(Login login, Login readers, InetAddress listen, Admission admission, Wait until) {}

    private interface Admission {
        void open(Connection connection) throws SQLException;
    }

    private interface Wait {
        void untilStopped() throws InterruptedException;
    }
}
