package dev.springbench.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that a crash left behind may name a process that is not ours. */
class PostmasterTest {

    @TempDir
    Path folder;

    @Test
    void aServerOfThisFolderIsFound() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        try (Named running = Named.postgres(folder, data)) {
            leave(data, running);
            assertThat(Postmaster.of(data).orElseThrow().process().pid())
                    .isEqualTo(running.process().pid());
        }
    }

    @Test
    void aServerOfAnotherFolderIsNotTakenForOurs() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        try (Named running = Named.postgres(folder, folder.resolve("other"))) {
            leave(data, running);
            assertThat(Postmaster.of(data)).isEmpty();
        }
    }

    @Test
    void noFileOrAnUnreadableOneMeansThatNothingRuns() throws IOException {
        assertThat(Postmaster.of(folder)).isEmpty();
        Files.writeString(folder.resolve("postmaster.pid"), "");
        assertThat(Postmaster.of(folder)).isEmpty();
    }

    private static void leave(Path data, Named running) throws IOException {
        Files.writeString(data.resolve("postmaster.pid"), running.process().pid() + System.lineSeparator());
    }

    /** A process that is called as PostgreSQL is, and gets its folder as PostgreSQL does. */
    private record Named(Process process) implements AutoCloseable {

        static Named postgres(Path folder, Path data) throws IOException {
            Path program = folder.resolve("postgres");
            Files.copy(Path.of("/bin/sh").toRealPath(), program);
            String lasting = "sleep 60; exit";
            return new Named(new ProcessBuilder(program.toString(), "-c", lasting, "-D", data.toString()).start());
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
