package dev.springbench.contract;

import java.net.URI;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The server under test, started as its jar starts it, on any free port. */
final class RunningServer implements AutoCloseable {

    /** The same name in both endpoint modules; which one is here depends on the server. */
    private static final String APPLICATION = "dev.springbench.Application";

    private final ConfigurableApplicationContext context;

    private RunningServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static RunningServer start(Map<String, String> modelProperties, URI upstream, String upstreamTimeout) {
        Map<String, String> properties = new TreeMap<>(modelProperties);
        properties.put("server.port", "0");
        properties.put("springbench.upstream.url", upstream.toString());
        properties.put("springbench.upstream.timeout", upstreamTimeout);
        String[] arguments = properties.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new);
        return new RunningServer(new SpringApplication(application()).run(arguments));
    }

    URI uri(String route) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + route);
    }

    /** By name, as the Boot lines keep the type in different packages. */
    String serverClassName() {
        try {
            Object server = context.getClass().getMethod("getWebServer").invoke(context);
            return server.getClass().getSimpleName();
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException("Not a web application: " + context.getClass(), failure);
        }
    }

    @Override
    public void close() {
        context.close();
    }

    private static Class<?> application() {
        try {
            return Class.forName(APPLICATION);
        } catch (ClassNotFoundException failure) {
            throw new IllegalStateException("The module has neither endpoints-mvc nor endpoints-reactive", failure);
        }
    }
}
