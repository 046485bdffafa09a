package dev.springbench.common;

/** Where a handler runs. */
public enum ThreadKind {
    VIRTUAL("virtual"),
    PLATFORM("platform"),
    EVENT_LOOP("event-loop");

    private final String text;

    ThreadKind(String text) {
        this.text = text;
    }

    public static ThreadKind ofBlocking(Thread thread) {
        return thread.isVirtual() ? VIRTUAL : PLATFORM;
    }

    public String text() {
        return text;
    }
}
