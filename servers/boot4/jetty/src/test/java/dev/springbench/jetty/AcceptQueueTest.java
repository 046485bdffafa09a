package dev.springbench.jetty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.springbench.Application;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

class AcceptQueueTest {

    @Test
    void isAsLongAsAsked() {
        assertThat(acceptQueueSize("--springbench.jetty.accept-queue-size=1234"))
                .isEqualTo(1_234);
    }

    @Test
    void isJettysOwnUnlessAsked() {
        try (ServerConnector untouched = new ServerConnector(new Server())) {
            assertThat(acceptQueueSize("--springbench.jetty.accept-queue-size=0"))
                    .isEqualTo(untouched.getAcceptQueueSize());
        }
    }

    private static int acceptQueueSize(String argument) {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(Application.class, "--server.port=0", argument)) {
            JettyWebServer server = (JettyWebServer) ((WebServerApplicationContext) context).getWebServer();
            ServerConnector connector = (ServerConnector) server.getServer().getConnectors()[0];
            return connector.getAcceptQueueSize();
        }
    }
}
