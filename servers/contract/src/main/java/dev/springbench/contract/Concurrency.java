package dev.springbench.contract;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/** How many requests a server works on at once, told from when it answers them. */
final class Concurrency {

    private static final int BURSTS = 20;
    private static final int AGREEING = 3;
    /** Of all bursts; only now and then is one too high. */
    private static final int TOO_HIGH = 1;

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
     * The count on which three bursts agree, and which hardly one of them exceeds: a busy host makes single counts too
     * low, and now and then one too high, by another number each time. Where it is so busy that 100 ms leave no trace
     * of the cap, requests wait a second.
     *
     * @param expected of which half as many again are offered
     * @return empty where no three agree: then the host is too busy to tell
     */
    static OptionalInt settled(URI server, int expected) {
        try (Connections connections = Connections.open(server, expected + expected / 2 + 1)) {
            for (Wait wait : Wait.values()) {
                List<Integer> counts = new ArrayList<>();
                while (counts.size() < BURSTS / 2) {
                    counts.add(wait.atOnce(connections, TO_THE_REQUEST));
                    OptionalInt agreed = agreed(counts);
                    if (agreed.isPresent()) {
                        return agreed;
                    }
                }
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Thousands of requests cannot even begin within 100 ms on a small host; within a second they can.
     *
     * @return {@code expected} as soon as a burst reaches it, else the lower count on which bursts agree; empty where
     *     they do not
     */
    static OptionalInt reached(URI server, int expected) {
        List<Integer> counts = new ArrayList<>();
        try (Connections connections = Connections.open(server, expected + expected / 10)) {
            for (int burst = 0; burst < BURSTS; burst++) {
                int count = Wait.PAY.atOnce(connections, AT_LEAST);
                if (count >= expected) {
                    return OptionalInt.of(expected);
                }
                counts.add(count);
            }
        }
        return agreed(counts);
    }

    private static OptionalInt agreed(List<Integer> counts) {
        return counts.stream()
                .filter(count -> Collections.frequency(counts, count) >= AGREEING)
                .filter(count -> counts.stream().filter(other -> other > count).count() <= TOO_HIGH)
                .mapToInt(Integer::intValue)
                .findAny();
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
