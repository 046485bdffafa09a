package dev.springbench.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;

/** What takes its time, on a host that may be busy: one try comes late, not all. Early is wrong at once. */
final class OnTime {

    private OnTime() {}

    interface Step {
        void run() throws IOException;
    }

    static ConditionFactory sometimes() {
        return await().pollDelay(Duration.ZERO).atMost(Duration.ofMinutes(1));
    }

    static void takes(Duration least, Duration most, Step step) {
        sometimes().untilAsserted(() -> assertThat(time(least, step)).isLessThanOrEqualTo(most));
    }

    /**
     * @return how long {@code step} took
     * @throws IllegalStateException when that is less than {@code least}, which no second try mends
     */
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
