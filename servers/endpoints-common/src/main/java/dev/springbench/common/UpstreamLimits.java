package dev.springbench.common;

/** What a relay accepts. */
public final class UpstreamLimits {

    /** A longer body is refused, so that no upstream can fill the memory of a server. */
    public static final int MAX_BODY_BYTES = 256 * 1024;

    private UpstreamLimits() {}
}
