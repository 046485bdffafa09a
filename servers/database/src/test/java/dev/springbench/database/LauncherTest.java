package dev.springbench.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The launcher as a process of its own, with a table of a thousand users. */
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {

    private static final int ROWS = 1_000;
    private static final long END_S = 60;
    private static final String PASSWORD = "0123456789abcdef";

    @TempDir
    private Path folder;

    @Test
    void makesTheTableOnceAndMendsWhatIsNotWhole() throws Exception {
        int port = freePort();
        try (Launcher first = new Launcher(port)) {
            assertThat(first.said()).hasSize(2).first().isEqualTo("{\"event\":\"seeding\",\"rows\":1000,\"of\":1000}");
            assertThat(first.said().getLast()).contains("\"event\":\"ready\"", "\"seeded\":true");
        }
        try (Launcher second = new Launcher(port)) {
            assertThat(second.said()).singleElement().asString().contains("\"seeded\":false");
        }
        Access.alone(folder.resolve("binaries"), data(), "delete from users where id = " + ROWS);
        try (Launcher third = new Launcher(port)) {
            assertThat(third.said().getLast()).contains("\"seeded\":true");
        }
    }

    @Test
    void whatAServerHasCreatedIsGoneWhenTheNextOneStarts() throws Exception {
        int port = freePort();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        try (Launcher first = new Launcher(port);
                Connection reader = connect(url, "springbench_reader", PASSWORD);
                Statement statement = reader.createStatement()) {
            assertThat(first.said().getLast()).contains("\"ready\"");
            statement.execute("insert into orders (customer_id, status, created_at_epoch_s, total_cents)"
                    + " values (1, 'new', 0, 0)");
            statement.execute("insert into order_lines values (" + (Orders.COUNT + 1) + ", 0, 'A-0001', 1, 1)");
            assertThatThrownBy(() -> statement.execute("delete from orders")).hasMessageContaining("permission denied");
            assertThatThrownBy(() -> statement.execute("insert into products values ('x', 'x', 1)"))
                    .hasMessageContaining("permission denied");
        }
        try (Launcher second = new Launcher(port);
                Connection reader = connect(url, "springbench_reader", PASSWORD);
                Statement statement = reader.createStatement()) {
            assertThat(second.said()).singleElement().asString().contains("\"seeded\":false");
            for (String table : List.of("orders", "order_lines")) {
                try (ResultSet row = statement.executeQuery("select count(*) from " + table)) {
                    row.next();
                    assertThat(row.getInt(1)).isEqualTo(table.equals("orders") ? Orders.COUNT : 3 * Orders.COUNT);
                }
            }
        }
    }

    @Test
    void countsTheStatementsOfItsReaders() throws Exception {
        int port = freePort();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
        try (Launcher launcher = new Launcher(port);
                Connection reader = connect(url, "springbench_reader", PASSWORD);
                Statement statement = reader.createStatement()) {
            long before = statements(launcher);
            assertThat(statements(launcher)).as("without its own").isEqualTo(before);
            statement.execute("select name from users where id = 7");
            reader.setAutoCommit(false);
            statement.execute("insert into orders (customer_id, status, created_at_epoch_s, total_cents)"
                    + " values (1, 'new', 0, 0)");
            statement.execute("select count(*) from orders where id = 1");
            reader.commit();
            assertThat(statements(launcher) - before)
                    .as("begin and commit, and the checks of foreign keys, are no statements")
                    .isEqualTo(3);
        }
    }

    @Test
    void endsTheServerThatAKilledLauncherLeft() throws Exception {
        int port = freePort();
        Launcher killed = new Launcher(port);
        assertThat(killed.said().getLast()).contains("\"ready\"");
        killed.process.destroyForcibly().waitFor();

        try (Launcher next = new Launcher(port)) {
            assertThat(next.said()).singleElement().asString().contains("\"seeded\":false");
        }
    }

    @Test
    void nobodyIsLetInWithoutThePasswordOfThisRun() throws Exception {
        int port = freePort();
        // a folder of a version that let everybody in
        try (Launcher first = new Launcher(port)) {
            assertThat(first.said().getLast()).contains("\"user\":\"springbench_reader\"");
        }
        Files.writeString(data().resolve("pg_hba.conf"), "local all all trust\nhost all all 127.0.0.1/32 trust\n");
        Access.alone(folder.resolve("binaries"), data(), "alter role springbench_reader password 'of-an-earlier-run'");

        try (Launcher launcher = new Launcher(port)) {
            assertThat(launcher.said()).singleElement().asString().contains("\"seeded\":false");
            String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
            for (String user : List.of("postgres", "springbench_reader")) {
                for (String password : List.of("", "postgres", "of-an-earlier-run")) {
                    assertThatThrownBy(() -> connect(url, user, password).close())
                            .as("%s with '%s'", user, password)
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("password");
                }
            }
            assertThat(asksForAPasswordLocally(port)).isTrue();
            try (Connection reader = connect(url, "springbench_reader", PASSWORD);
                    Statement statement = reader.createStatement()) {
                assertThat(statement.execute("select name from users where id = 7"))
                        .isTrue();
                assertThatThrownBy(() -> statement.execute("copy users to program 'touch /tmp/never'"))
                        .hasMessageContaining("permission denied");
            }
            assertThat(Files.readString(data().resolve("pg_hba.conf"))).doesNotContain("trust");
            // nor may anybody put another program in the place of one that is run from here
            assertThat(Files.getPosixFilePermissions(folder))
                    .containsExactlyInAnyOrderElementsOf(PosixFilePermissions.fromString("rwx------"));
        }
        for (String log : List.of("postgresql.log", "postgresql-errors.log")) {
            assertThat(folder.resolve(log)).content().doesNotContain(PASSWORD);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere the loopback has one address")
    void letsOneOtherHostReadAndNothingElse() throws Exception {
        int port = freePort();
        String[] elsewhere = {"--listen", "127.0.0.2", "--reader-from", "127.0.0.3"};
        try (Launcher launcher = new Launcher(port, elsewhere)) {
            String address = "127.0.0.2:" + port + "/postgres";
            assertThat(launcher.said().getLast())
                    .contains("\"address\":\"" + address + "\"", "\"user\":\"springbench_reader\"")
                    .doesNotContain(PASSWORD);
            String url = "jdbc:postgresql://" + address + "?localSocketAddress=";
            try (Connection reader = connect(url + "127.0.0.3", "springbench_reader", PASSWORD);
                    Statement statement = reader.createStatement()) {
                assertThat(statement.execute("select name from users where id = 7"))
                        .isTrue();
                assertThatThrownBy(() -> statement.execute("delete from users"))
                        .hasMessageContaining("permission denied");
            }
            assertThatThrownBy(() -> connect(url + "127.0.0.3", "springbench_reader", "another-password"))
                    .hasMessageContaining("password authentication failed");
            assertThatThrownBy(() -> connect(url + "127.0.0.3", "postgres", ""))
                    .hasMessageContaining("no pg_hba.conf entry");
            assertThatThrownBy(() -> connect(url + "127.0.0.4", "springbench_reader", PASSWORD))
                    .hasMessageContaining("no pg_hba.conf entry");
        }
        // The next one without readers listens for nobody else. On a port of its own: once the first has ended, the
        // kernel may give its port to any connection that is made meanwhile.
        int nextPort = freePort();
        try (Launcher next = new Launcher(nextPort)) {
            assertThat(next.said()).singleElement().asString().contains("127.0.0.1:" + nextPort);
            assertThatThrownBy(() -> connect("jdbc:postgresql://127.0.0.2:" + nextPort + "/postgres", "postgres", ""))
                    .hasMessageContaining("refused");
        }
    }

    @Test
    void aReaderWithoutAPlaceIsRefused() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "x'; drop role postgres; --");
        Process process = start(
                "--listen",
                "host.example",
                "--reader-from",
                "127.0.0.3",
                "--reader-password-file",
                password.toString());
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).contains("\"failed\"", "16 to 128 letters and digits");
        }
        assertThat(process.waitFor()).isEqualTo(2);
        Files.writeString(password, PASSWORD);
        Process named = start(
                "--listen",
                "host.example",
                "--reader-from",
                "127.0.0.3",
                "--reader-password-file",
                password.toString());
        try (BufferedReader out = named.inputReader()) {
            assertThat(out.readLine()).contains("--listen: must be an address of numbers, not host.example");
        }
        assertThat(named.waitFor()).isEqualTo(2);
    }

    @Test
    void withoutAPasswordForReadersNothingStarts() throws Exception {
        Process process = start("--data", folder.toString());
        try (BufferedReader err = process.errorReader()) {
            assertThat(err.readLine()).contains("--reader-password-file: is missing");
        }
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void badOptionsAreOneLine() throws Exception {
        Process process = start("--rows", "0");
        try (BufferedReader err = process.errorReader()) {
            assertThat(err.lines().toList())
                    .containsExactly("database: --rows must be 1 to 100000000, not 0 (--help lists the options)");
        }
        assertThat(process.waitFor()).isEqualTo(2);
    }

    private static long statements(Launcher launcher) throws Exception {
        String port = launcher.said().getLast().replaceFirst(".*\"stats_port\":(\\d+).*", "$1");
        try (InputStream stats =
                URI.create("http://127.0.0.1:" + port + "/stats").toURL().openStream()) {
            String answer = new String(stats.readAllBytes(), StandardCharsets.UTF_8);
            return Long.parseLong(answer.replaceFirst(".*\"statements\":(\\d+).*", "$1"));
        }
    }

    private static Connection connect(String url, String user, String password) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /** Over the socket in the file system, as PostgreSQL's own client comes. */
    private static boolean asksForAPasswordLocally(int port) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of("/tmp/.s.PGSQL." + port))) {
            socket.write(startup());
            ByteBuffer answer = ByteBuffer.allocate(1_024);
            socket.read(answer);
            // R: authentication; 10: SASL, which is scram
            return answer.get(0) == 'R' && answer.getInt(5) == 10;
        }
    }

    private static ByteBuffer startup() {
        byte[] words = "user\0postgres\0database\0postgres\0\0".getBytes(StandardCharsets.US_ASCII);
        int version = 3 << 16;
        return ByteBuffer.allocate(8 + words.length)
                .putInt(8 + words.length)
                .putInt(version)
                .put(words)
                .flip();
    }

    private Path data() {
        return folder.resolve("pg17-seed" + Table.VERSION + "-" + ROWS);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Process start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).start();
    }

    private final class Launcher implements AutoCloseable {

        private final Process process;
        private final List<String> said = new ArrayList<>();

        private Launcher(int port, String... more) throws IOException {
            Path password = Files.writeString(folder.resolve("password"), PASSWORD);
            List<String> options = new ArrayList<>(List.of(
                    "--reader-password-file",
                    password.toString(),
                    "--data",
                    folder.toString(),
                    "--port",
                    String.valueOf(port),
                    "--rows",
                    String.valueOf(ROWS),
                    "--stop-with-stdin"));
            options.addAll(List.of(more));
            process = start(options.toArray(String[]::new));
            BufferedReader out = process.inputReader();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                said.add(line);
                if (line.contains("\"ready\"")) {
                    break;
                }
            }
        }

        private List<String> said() {
            return said;
        }

        /** Closing its input is enough. */
        @Override
        public void close() throws IOException {
            process.outputWriter().close();
            assertThat(process.onExit()
                            .completeOnTimeout(null, END_S, TimeUnit.SECONDS)
                            .join())
                    .as("the launcher ended with its input")
                    .isNotNull();
        }
    }
}
