package dev.springbench.contract;

import java.net.URI;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A server in the process of the tests, which starts sooner than one of its own. */
final class InProcess implements RunningServer {

    /** The same name in both endpoint modules; which one is here depends on the server. */
    static final String APPLICATION = "dev.springbench.Application";

    private final ConfigurableApplicationContext context;

    private InProcess(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static RunningServer start(List<String> arguments) {
        return new InProcess(new SpringApplication(application()).run(arguments.toArray(String[]::new)));
    }

    @Override
    public URI uri(String route) {
        return URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + route);
    }

    /** By name, as the Boot lines keep the type in different packages. */
    @Override
    public String name() {
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
