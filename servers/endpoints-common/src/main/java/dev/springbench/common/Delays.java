package dev.springbench.common;

import java.time.Duration;

/** How long the waiting routes wait. */
public final class Delays {

    public static final Duration PAY = Duration.ofMillis(1_000);
    public static final Duration TASK = Duration.ofMillis(100);

    private Delays() {}
}
