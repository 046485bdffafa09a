package dev.springbench.contract;

import java.util.Map;

/**
 * What requests are sent over, as the matrix has it.
 *
 * @param http2 whether requests share connections
 * @param properties those that turn it on, with places for a key
 */
public record Protocol(String id, boolean tls, boolean http2, Map<String, String> properties) {

    /** What a server speaks by itself. */
    static final Protocol HTTP1 = new Protocol("http1", false, false, Map.of());

    @Override
    public String toString() {
        return id;
    }
}
