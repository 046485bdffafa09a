package dev.springbench.contract;

import java.util.Map;

/** A thread model as a server of the matrix has it. */
public record Model(String id, Map<String, String> properties) {

    private static final String VIRTUAL = "spring.threads.virtual.enabled";

    /** What {@code /thread} has to say. */
    String threadKind(String server) {
        if (server.equals("netty")) {
            return "event-loop";
        }
        return Boolean.parseBoolean(properties.get(VIRTUAL)) ? "virtual" : "platform";
    }

    @Override
    public String toString() {
        return id;
    }
}
