package dev.springbench.upstream;

import java.io.IOException;
import java.time.Duration;

/** What takes its time, on a host that may be busy: one try comes late, hardly ten in a row. Early is wrong at once. */
final class OnTime {

    private static final int TRIES = 10;

    private OnTime() {}

    interface Step {
        void run() throws IOException;
    }

    /** Passes with the first try in which nothing was late, which {@code step} asserts. */
    static void sometimes(Step step) throws IOException {
        AssertionError late = null;
        for (int n = 0; n < TRIES; n++) {
            try {
                step.run();
                return;
            } catch (AssertionError failure) {
                late = failure;
            }
        }
        throw late;
    }

    /** As {@link #sometimes}, where it is enough that {@code step} takes that long. */
    static void takes(Duration least, Duration most, Step step) throws IOException {
        sometimes(() -> {
            Duration took = time(least, step);
            if (took.compareTo(most) > 0) {
                throw new AssertionError("took " + took + " instead of " + most + " at most");
            }
        });
    }

    /** @return how long {@code step} took, which is not to be less than {@code least} */
    static Duration time(Duration least, Step step) throws IOException {
        long startedAtNs = System.nanoTime();
        step.run();
        Duration took = Duration.ofNanos(System.nanoTime() - startedAtNs);
        if (took.compareTo(least) < 0) {
            throw new IllegalStateException("took " + took + " instead of " + least + " at least");
        }
        return took;
    }
}
