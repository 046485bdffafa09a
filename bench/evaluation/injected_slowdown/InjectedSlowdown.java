package dev.springbench.common;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Properties;

/** Makes a server worse by a known amount: CPU for each greeting, memory held from the start. */
public final class InjectedSlowdown {

    private final long helloNs = setting("hello_ns");

    /** Off the heap, where no collection moves, frees or hides it. */
    private final ByteBuffer held = held((int) setting("idle_bytes"));

    private static long setting(String name) {
        try (InputStream file = InjectedSlowdown.class.getResourceAsStream("/injected-slowdown.properties")) {
            Properties settings = new Properties();
            settings.load(file);
            return Long.parseLong(settings.getProperty(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
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

    public void burn() {
        if (helloNs > 0) {
            long end = System.nanoTime() + helloNs;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
