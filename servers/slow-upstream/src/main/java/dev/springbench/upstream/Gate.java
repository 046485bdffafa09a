package dev.springbench.upstream;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets so many delays run at once, the others wait in the order in which they came: a server with a thread cap whose
 * limit is known exactly.
 */
final class Gate {

    static final int OPEN = 0;

    private final boolean open;
    private final AtomicInteger free;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /** @param atOnce how many, or {@link #OPEN} for all */
    Gate(int atOnce) {
        open = atOnce == OPEN;
        free = new AtomicInteger(atOnce);
    }

    /** Runs it now or when those before it have left. Each that ran must {@link #leave()} once. */
    void enter(Runnable begin) {
        if (open) {
            begin.run();
            return;
        }
        waiting.add(begin);
        admit();
    }

    void leave() {
        if (!open) {
            free.incrementAndGet();
            admit();
        }
    }

    private void admit() {
        while (!waiting.isEmpty() && take()) {
            Runnable next = waiting.poll();
            if (next == null) {
                free.incrementAndGet();
            } else {
                next.run();
            }
        }
    }

    private boolean take() {
        return free.getAndUpdate(places -> Math.max(0, places - 1)) > 0;
    }
}
