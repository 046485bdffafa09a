package dev.springbench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** The server process of a data folder. It is a daemon, and no child of ours. */
record Postmaster(ProcessHandle process) {

    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** @return the one that runs on this folder, whoever started it */
    static Optional<Postmaster> of(Path data) throws IOException {
        Path file = data.resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
            return ProcessHandle.of(pid)
                    .map(Postmaster::new)
                    .filter(Postmaster::runs)
                    .filter(running -> running.isOf(data));
        } catch (NumberFormatException | IndexOutOfBoundsException unreadable) {
            return Optional.empty();
        }
    }

    /** After a crash the file stays, and its id may be that of somebody else's server by now. */
    private boolean isOf(Path data) {
        Path own = data.toAbsolutePath();
        return process.info()
                .arguments()
                .map(words -> Stream.of(words)
                        .anyMatch(word -> own.equals(Path.of(word).toAbsolutePath())))
                .orElse(true);
    }

    /** One that has ended and that nobody has waited for has no command any more, but still an id. */
    boolean runs() {
        return process.isAlive() && process.info().command().orElse("").endsWith("/postgres");
    }

    void awaitEnd() throws InterruptedException {
        while (runs()) {
            Thread.sleep(LOOK_EVERY);
        }
    }

    /** @return whether it has ended */
    boolean stop(Duration patience) throws InterruptedException {
        process.destroy();
        for (Duration waited = Duration.ZERO; runs(); waited = waited.plus(LOOK_EVERY)) {
            if (waited.compareTo(patience) > 0) {
                return false;
            }
            Thread.sleep(LOOK_EVERY);
        }
        return true;
    }
}
