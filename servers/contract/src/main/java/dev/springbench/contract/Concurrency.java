package dev.springbench.contract;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many requests a server works on at once, told from when it answers them. */
final class Concurrency {

    private static final String TASK = "/task";
    private static final Duration TASK_DELAY = Duration.ofMillis(100);

    /** Thousands of requests cannot even begin within 100 ms on a small host; within a second they can. */
    private static final String PAY = "/pay";

    private static final Duration PAY_DELAY = Duration.ofMillis(1_000);

    private static final int BURSTS = 20;
    private static final int AGREEING = 3;

    private Concurrency() {}

    /**
     * The count on which three bursts agree: a busy host makes single counts too low, and now and then one too high,
     * by another number each time.
     *
     * @param expected of which half as many again are offered
     */
    static int settled(RunningServer server, int expected) {
        URI task = server.uri(TASK);
        List<Integer> counts = new ArrayList<>();
        while (counts.size() < BURSTS) {
            int count = Burst.of(task, expected + expected / 2 + 1).atOnce(TASK_DELAY);
            counts.add(count);
            if (Collections.frequency(counts, count) == AGREEING) {
                return count;
            }
        }
        throw new AssertionError("No %d bursts agree; requests at once: %s".formatted(AGREEING, counts));
    }

    /** @return the count of the first burst that reaches {@code expected}, or the best of some */
    static int reached(RunningServer server, int expected) {
        URI pay = server.uri(PAY);
        int best = 0;
        for (int burst = 0; burst < AGREEING * 2 && best < expected; burst++) {
            best = Math.max(best, Burst.of(pay, expected + expected / 10).atOnce(PAY_DELAY));
        }
        return best;
    }
}
