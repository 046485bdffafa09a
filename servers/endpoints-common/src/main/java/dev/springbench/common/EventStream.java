package dev.springbench.common;

import java.time.Duration;

/**
 * What {@code /events} sends: so many events, one each time the interval is over, then the end.
 *
 * @param count how many events
 */
public record EventStream(int count, Duration interval) {

    private static final int MOST = 1_000;
    private static final int LONGEST_MS = 60_000;

    public EventStream(int count, int everyMs) {
        this(count, Duration.ofMillis(everyMs));
        if (count < 1 || count > MOST || everyMs < 1 || everyMs > LONGEST_MS) {
            throw new InvalidRequest("count must be a number from 1 to " + MOST + ", everyMs from 1 to " + LONGEST_MS);
        }
    }

    /** @return the data of an event, the first of which has the number 0; all are equally long */
    public static String data(long number) {
        return "event %04d of a stream that nobody waits for".formatted(number);
    }
}
