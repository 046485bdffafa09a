package dev.springbench.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process of its own, with a table of a thousand users. */
class LauncherTest {

    private static final int ROWS = 1_000;
    private static final long END_S = 60;

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
            damage(port);
        }
        try (Launcher third = new Launcher(port)) {
            assertThat(third.said().getLast()).contains("\"seeded\":true");
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
    void badOptionsAreOneLine() throws Exception {
        Process process = start("--rows", "0");
        try (BufferedReader err = process.errorReader()) {
            assertThat(err.lines().toList())
                    .containsExactly("database: --rows must be 1 to 100000000, not 0 (--help lists the options)");
        }
        assertThat(process.waitFor()).isEqualTo(2);
    }

    private static void damage(int port) throws SQLException {
        Login login = new Login("127.0.0.1:" + port + "/postgres", "postgres", "");
        try (Connection connection = login.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("delete from users where id = " + ROWS);
        }
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
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(options));
        return new ProcessBuilder(command).start();
    }

    private final class Launcher implements AutoCloseable {

        private final Process process;
        private final List<String> said = new ArrayList<>();

        private Launcher(int port) throws IOException {
            process = start(
                    "--data",
                    folder.toString(),
                    "--port",
                    String.valueOf(port),
                    "--rows",
                    String.valueOf(ROWS),
                    "--stop-with-stdin");
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
