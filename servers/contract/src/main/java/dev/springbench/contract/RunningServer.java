package dev.springbench.contract;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The server under test, on any free port. */
interface RunningServer extends AutoCloseable {

    URI uri(String route);

    /** What the server calls itself, for example {@code TomcatWebServer}. */
    String name();

    @Override
    void close();

    /** The arguments of a server that relays that upstream. */
    static List<String> arguments(Map<String, String> modelProperties, URI upstream, String upstreamTimeout) {
        Map<String, String> properties = new TreeMap<>(modelProperties);
        properties.put("server.port", "0");
        properties.put("springbench.upstream.url", upstream.toString());
        properties.put("springbench.upstream.timeout", upstreamTimeout);
        return properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toList();
    }
}
