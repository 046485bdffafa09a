package dev.springbench.upstream;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.TimeUnit;

/** The delay of one answer: through the gate, then until it is due. Used on the event loop of its connection. */
final class Wait implements Runnable {

    private final Service service;
    private final EventExecutor loop;
    private final Runnable due;
    private long dueAt;
    private boolean abandoned;

    /** @param due what happens then; not when it was abandoned before */
    Wait(Service service, EventExecutor loop, Runnable due) {
        this.service = service;
        this.loop = loop;
        this.due = due;
    }

    void start() {
        service.stats().accepted();
        service.gate().enter(this::begin);
    }

    /** Nobody waits for the answer any more. */
    void abandon() {
        abandoned = true;
        service.stats().abandoned();
    }

    /** From the event loop of whoever made room; only this connection's own may touch its answers. */
    private void begin() {
        if (!loop.inEventLoop()) {
            loop.execute(this::begin);
            return;
        }
        long delay = service.delays().nextNanos();
        dueAt = System.nanoTime() + delay;
        if (delay == 0) {
            service.gate().leave();
            due.run();
        } else {
            loop.schedule(this, delay, TimeUnit.NANOSECONDS);
        }
    }

    @Override
    public void run() {
        // also when the client has gone: its place was taken until now
        service.gate().leave();
        if (!abandoned) {
            service.stats().due(System.nanoTime() - dueAt);
            due.run();
        }
    }
}
