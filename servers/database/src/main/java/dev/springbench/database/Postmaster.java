package dev.springbench.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

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
            return ProcessHandle.of(pid).map(Postmaster::new).filter(Postmaster::runs);
        } catch (NumberFormatException | IndexOutOfBoundsException unreadable) {
            return Optional.empty();
        }
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
