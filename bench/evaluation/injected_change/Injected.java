package dev.springbench.common;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes a server another one by a known amount: what the file injected.properties in its working folder says.
 * Without that file it is as it always was.
 */
public final class Injected {

    private static final Properties SETTINGS = read(Path.of("injected.properties"));
    private static final long HELLO_NS = setting("hello_ns");
    private static final long LOCKED_NS = setting("hello_lock_ns");
    private static final long FAIL_EVERY = setting("hello_fail_every");
    private static final long SLOW_EVERY = setting("hello_slow_every");
    private static final long SLOW_MS = setting("hello_slow_ms");
    private static final long LOG_LINES = setting("hello_log_lines");
    private static final int KEPT_BYTES = (int) setting("hello_kept_bytes");
    private static final int GARBAGE_BYTES = (int) setting("hello_garbage_bytes");
    private static final String LONGER = "!".repeat((int) setting("hello_bytes"));
    private static final long PAY_US = setting("pay_us");
    private static final long PAY_SLOW_EVERY = setting("pay_slow_every");
    private static final long PAY_SLOW_MS = setting("pay_slow_ms");
    private static final int QUERIES = (int) setting("queries");
    private static final Semaphore AT_ONCE = semaphore((int) setting("pay_at_once"));
    // of what is kept: beyond it the heap would fill, which is another change
    private static final int KEPT_MOST = 10_000;

    private static final AtomicLong HELLOS = new AtomicLong();
    private static final AtomicLong PAYS = new AtomicLong();
    private static final Queue<byte[]> KEPT = new ConcurrentLinkedQueue<>();
    private static final Object LOCK = new Object();

    /** Read by a method, so that nothing is left out. */
    private static volatile Object last;

    /** Off the heap, where no collection moves, frees or hides it. */
    private static ByteBuffer held = ByteBuffer.allocate(0);

    private Injected() {}

    /** When a server starts. */
    public static void start() {
        pause(setting("start_ms"));
        held = held((int) setting("idle_bytes"));
    }

    /** Before each greeting. */
    public static void hello() {
        burn(HELLO_NS);
        if (LOCKED_NS > 0) {
            synchronized (LOCK) {
                burn(LOCKED_NS);
            }
        }
        for (long line = 0; line < LOG_LINES; line++) {
            System.out.println("a request was answered");
        }
        if (GARBAGE_BYTES > 0) {
            last = new byte[GARBAGE_BYTES];
        }
        long number = HELLOS.incrementAndGet();
        if (KEPT_BYTES > 0 && number <= KEPT_MOST) {
            KEPT.add(new byte[KEPT_BYTES]);
        }
        if (SLOW_EVERY > 0 && number % SLOW_EVERY == 0) {
            pause(SLOW_MS);
        }
        if (FAIL_EVERY > 0 && number % FAIL_EVERY == 0) {
            throw new IllegalStateException("injected");
        }
    }

    public static String text(String plain) {
        return plain + LONGER;
    }

    /** The wait of a blocking server. */
    public static void sleep(Duration delay) throws InterruptedException {
        if (AT_ONCE == null) {
            Thread.sleep(longer(delay));
            return;
        }
        AT_ONCE.acquire();
        try {
            Thread.sleep(longer(delay));
        } finally {
            AT_ONCE.release();
        }
    }

    public static Duration longer(Duration delay) {
        boolean slow = PAY_SLOW_EVERY > 0 && PAYS.incrementAndGet() % PAY_SLOW_EVERY == 0;
        return delay.plusNanos(PAY_US * 1_000).plusMillis(slow ? PAY_SLOW_MS : 0);
    }

    /** What a request asks of the database once more. */
    public static void again(Runnable query) {
        for (int done = 0; done < QUERIES; done++) {
            query.run();
        }
    }

    private static void burn(long forNs) {
        if (forNs > 0) {
            long end = System.nanoTime() + forNs;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }

    private static void pause(long forMs) {
        try {
            Thread.sleep(forMs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Memory counts as resident only when it was written to. */
    private static ByteBuffer held(int bytes) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
        for (int at = 0; at < bytes; at += 4096) {
            buffer.put(at, (byte) 1);
        }
        return buffer;
    }

    private static Semaphore semaphore(int permits) {
        return permits > 0 ? new Semaphore(permits) : null;
    }

    private static long setting(String name) {
        return Long.parseLong(SETTINGS.getProperty(name, "0"));
    }

    private static Properties read(Path file) {
        Properties settings = new Properties();
        if (Files.exists(file)) {
            try (Reader text = Files.newBufferedReader(file)) {
                settings.load(text);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
        return settings;
    }
}
