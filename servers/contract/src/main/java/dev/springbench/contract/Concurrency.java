package dev.springbench.contract;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** How many requests a server works on at once, told from when it answers them. */
final class Concurrency {

    /** Most hosts need four; one that is busy throughout has its moments too. */
    private static final int BURSTS = 80;

    private static final int AGREEING = 3;
    private static final double TO_THE_REQUEST = 0.7;
    /** Where a few more do not matter: no cap of a server lies near what is asked for. */
    private static final double AT_LEAST = 0.9;

    /** A route that only waits. */
    private enum Wait {
        TASK("/task", Duration.ofMillis(100)),
        PAY("/pay", Duration.ofMillis(1_000));

        private final String route;
        private final Duration delay;

        Wait(String route, Duration delay) {
            this.route = route;
            this.delay = delay;
        }

        private int atOnce(Connections connections, double share) {
            return Concurrency.atOnce(connections.askAtOnce(route), delay, share);
        }
    }

    private Concurrency() {}

    /**
     * The count on which three bursts agree: a busy host makes single counts too low, and now and then one too high,
     * by another number each time. Where it is so busy that 100 ms leave no trace of the cap, requests wait a second.
     *
     * @param expected of which half as many again are offered
     */
    static int settled(URI server, int expected) {
        List<Integer> counts = new ArrayList<>();
        try (Connections connections = Connections.open(server, expected + expected / 2 + 1)) {
            for (Wait wait : Wait.values()) {
                List<Integer> own = new ArrayList<>();
                while (own.size() < BURSTS / 2) {
                    int count = wait.atOnce(connections, TO_THE_REQUEST);
                    own.add(count);
                    if (Collections.frequency(own, count) == AGREEING) {
                        return count;
                    }
                }
                counts.addAll(own);
            }
        }
        throw new AssertionError("No %d bursts agree; requests at once: %s".formatted(AGREEING, counts));
    }

    /**
     * Thousands of requests cannot even begin within 100 ms on a small host; within a second they can.
     *
     * @return the count of the first burst that reaches {@code expected}, or the best of some
     */
    static int reached(URI server, int expected) {
        int best = 0;
        try (Connections connections = Connections.open(server, expected + expected / 10)) {
            for (int burst = 0; burst < BURSTS && best < expected; burst++) {
                best = Math.max(best, Wait.PAY.atOnce(connections, AT_LEAST));
            }
        }
        return best;
    }

    /**
     * How many requests were in the works at once, at least. Each waits for {@code delay}: those answered within less
     * than that after one another had all begun before the first of them was answered. A slow server lowers the count
     * and never raises it; a late look at an answer may raise it, by those that came in the meantime, so that only a
     * share of the delay counts.
     */
    static int atOnce(long[] answeredAtNs, Duration delay, double share) {
        double window = delay.toNanos() * share;
        int most = 0;
        int first = 0;
        for (int last = 0; last < answeredAtNs.length; last++) {
            while (answeredAtNs[last] - answeredAtNs[first] >= window) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }
}
