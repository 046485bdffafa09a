package dev.springbench.upstream;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.AtomicHistogram;

/** What the upstream knows of its own precision; safe to use from every event loop. */
final class Stats {

    private static final long CEILING_US = TimeUnit.HOURS.toMicros(1);
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final AtomicLong served = new AtomicLong();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private final AtomicLong traced = new AtomicLong();
    private final AtomicHistogram latenessUs = new AtomicHistogram(CEILING_US, 3);

    void accepted() {
        int now = inFlight.incrementAndGet();
        if (now > maxInFlight.get()) {
            maxInFlight.accumulateAndGet(now, Math::max);
        }
    }

    void due(long lateNs) {
        long us = TimeUnit.NANOSECONDS.toMicros(lateNs);
        latenessUs.recordValue(Math.clamp(us, 0, CEILING_US));
    }

    void answered() {
        inFlight.decrementAndGet();
        served.incrementAndGet();
    }

    /** The client went away before its response was due. */
    void abandoned() {
        inFlight.decrementAndGet();
    }

    /** Somebody has exported traces. */
    void traced() {
        traced.incrementAndGet();
    }

    void reset() {
        served.set(0);
        traced.set(0);
        maxInFlight.set(inFlight.get());
        latenessUs.reset();
    }

    String toJson(DelaySequence delays, int threads) {
        return String.format(
                Locale.ROOT,
                "{\"served\":%d,\"in_flight\":%d,\"max_in_flight\":%d,\"lateness_max_ms\":%.3f,"
                        + "\"lateness_p99_ms\":%.3f,\"lateness_mean_ms\":%.3f,\"cpu_time_s\":%.3f,\"traced\":%d,\"delay\":\"%s\",\"seed\":%d,\"threads\":%d}",
                served.get(),
                inFlight.get(),
                maxInFlight.get(),
                latenessUs.getMaxValue() / 1e3,
                latenessUs.getValueAtPercentile(99) / 1e3,
                latenessUs.getMean() / 1e3,
                PROCESS.getProcessCpuTime() / 1e9,
                traced.get(),
                delays.delay().text(),
                delays.seed(),
                threads);
    }
}
