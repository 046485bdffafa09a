package dev.springbench.mvc;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** The client behind the relay: pinned, because Spring would pick one by what else is on the classpath. */
@Configuration(proxyBeanMethods = false)
class UpstreamClientConfiguration {

    @Bean
    RestClient upstreamClient(
            @Value("${springbench.upstream.timeout}") Duration timeout,
            @Value("${spring.threads.virtual.enabled:false}") boolean virtual) {
        Executor executor = virtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newCachedThreadPool();
        // HTTP/1.1, as HTTP/2 would be tried first by an upgrade; its pool has no cap on connections.
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .executor(executor)
                .build();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(http, executor);
        requests.setReadTimeout(timeout);
        return RestClient.builder().requestFactory(requests).build();
    }
}
