package dev.springbench.jetty;

import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.embedded.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * How many connections may wait to be accepted: {@code springbench.jetty.accept-queue-size}, for which Spring Boot has
 * no property. Without it Jetty's own default stays.
 */
@Component
class AcceptQueue implements WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> {

    private static final int DEFAULT = 0;

    private final int size;

    AcceptQueue(@Value("${springbench.jetty.accept-queue-size:" + DEFAULT + "}") int size) {
        this.size = size;
    }

    @Override
    public void customize(ConfigurableJettyWebServerFactory factory) {
        if (size > DEFAULT) {
            factory.addServerCustomizers(this::lengthen);
        }
    }

    private void lengthen(Server server) {
        for (Connector connector : server.getConnectors()) {
            if (connector instanceof ServerConnector listening) {
                listening.setAcceptQueueSize(size);
            }
        }
    }
}
