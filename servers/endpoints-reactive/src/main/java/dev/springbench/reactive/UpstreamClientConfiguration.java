package dev.springbench.reactive;

import dev.springbench.common.UpstreamLimits;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The client behind the relay: Reactor Netty with its cap of 500 connections and 1,000 waiting lifted. */
@Configuration(proxyBeanMethods = false)
class UpstreamClientConfiguration {

    private static final int MAX_CONNECTIONS = 100_000;
    private static final int UNLIMITED = -1;

    @Bean(destroyMethod = "dispose")
    ConnectionProvider upstreamConnections() {
        return ConnectionProvider.builder("upstream")
                .maxConnections(MAX_CONNECTIONS)
                .pendingAcquireMaxCount(UNLIMITED)
                .build();
    }

    @Bean
    WebClient upstreamClient(ConnectionProvider upstreamConnections) {
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(HttpClient.create(upstreamConnections)))
                .codecs(codecs -> codecs.defaultCodecs().maxInMemorySize(UpstreamLimits.MAX_BODY_BYTES))
                .build();
    }
}
