package dev.springbench.contract;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How many requests a server works on at once, told from when it answers them. */
final class Concurrency {

    private static final int BURSTS = 20;
    /** So many bursts have to count what is expected. */
    static final int ENOUGH = 3;
    /** Of all bursts; only now and then is one too high. */
    static final int TOO_HIGH = 1;

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
     * Asks in bursts until three of them have counted from {@code least} to {@code most}: a busy host makes single
     * counts too low, and now and then one too high. Where it is so busy that 100 ms leave no trace of the cap, requests
     * wait a second.
     *
     * @return the count of each burst, twenty where three are never enough
     */
    static List<Integer> counts(URI server, int least, int most) {
        List<Integer> counts = new ArrayList<>();
        try (Connections connections = Connections.open(server, most + most / 2 + 1)) {
            for (Wait wait : Wait.values()) {
                for (int burst = 0; burst < BURSTS / 2; burst++) {
                    counts.add(wait.atOnce(connections, TO_THE_REQUEST));
                    if (within(counts, least, most) >= ENOUGH) {
                        return counts;
                    }
                }
            }
        }
        return counts;
    }

    /** How many of the counts lie from {@code least} to {@code most}. */
    static long within(List<Integer> counts, int least, int most) {
        return counts.stream().filter(count -> least <= count && count <= most).count();
    }

    /**
     * Thousands of requests cannot even begin within 100 ms on a small host; within a second they can.
     *
     * @return the highest count of twenty bursts, or {@code expected} as soon as one reaches it
     */
    static int highest(URI server, int expected) {
        int highest = 0;
        try (Connections connections = Connections.open(server, expected + expected / 10)) {
            for (int burst = 0; burst < BURSTS && highest < expected; burst++) {
                highest = Math.max(highest, Wait.PAY.atOnce(connections, AT_LEAST));
            }
        }
        return Math.min(highest, expected);
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
