package dev.springbench.contract;

import java.util.Map;
import java.util.Optional;

/**
 * A thread model as a server of the matrix has it.
 *
 * @param image the model whose AOT-processed jar and native image serve this one too
 * @param tuned whether its properties follow the number of connections
 * @param cap how many requests it serves at once, where the matrix knows a limit
 */
public record Model(
        String id,
        String image,
        Map<String, String> systemProperties,
        Map<String, String> properties,
        boolean tuned,
        Optional<Integer> cap) {

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
