package dev.springbench.mvc;

import java.time.Duration;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.Timeout;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/**
 * The client behind the relay: pinned, because Spring would pick one by what else is on the classpath. Apache's reads on
 * the thread of the request itself, virtual or not, where the JDK's hands over to threads of its own.
 */
@Configuration(proxyBeanMethods = false)
class UpstreamClientConfiguration {

    /** The default of 5 to a host and 25 in all would be what a benchmark of the server measures. */
    private static final int MAX_CONNECTIONS = 100_000;

    @Bean
    CloseableHttpClient upstreamHttp(@Value("${springbench.upstream.timeout}") Duration timeout) {
        PoolingHttpClientConnectionManager connections = connections(Timeout.of(timeout));
        return HttpClients.custom()
                .setConnectionManager(connections)
                .setRetryStrategy(new RetryOnClosedConnection(connections))
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(Timeout.of(timeout))
                        .setConnectionRequestTimeout(Timeout.of(timeout))
                        .build())
                .disableRedirectHandling()
                .disableContentCompression()
                .disableCookieManagement()
                .disableAuthCaching()
                .build();
    }

    @Bean
    RestClient upstreamClient(CloseableHttpClient upstreamHttp) {
        return RestClient.builder()
                .requestFactory(new HttpComponentsClientHttpRequestFactory(upstreamHttp))
                .build();
    }

    private static PoolingHttpClientConnectionManager connections(Timeout timeout) {
        return PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(MAX_CONNECTIONS)
                .setMaxConnPerRoute(MAX_CONNECTIONS)
                // Without a cap to keep strictly, the pool needs no lock that all requests share.
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(timeout)
                        .setSocketTimeout(timeout)
                        .build())
                .build();
    }
}
