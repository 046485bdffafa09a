package dev.springbench.upstream;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The delays in the order in which requests arrive. The n-th depends on the seed and n alone (SplitMix64, Steele et
 * al., OOPSLA 2014), so that event loops can share the sequence and every run sees the same one.
 */
final class DelaySequence {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final Delay delay;
    private final long seed;
    private final AtomicLong drawn = new AtomicLong();

    DelaySequence(Delay delay, long seed) {
        this.delay = delay;
        this.seed = seed;
    }

    long nextNanos() {
        long mixed = mix(seed + drawn.incrementAndGet() * GOLDEN_GAMMA);
        return delay.nanos((mixed >>> 11) * 0x1.0p-53);
    }

    void restart() {
        drawn.set(0);
    }

    Delay delay() {
        return delay;
    }

    long seed() {
        return seed;
    }

    private static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
