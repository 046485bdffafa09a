package dev.springbench.reactive;

import dev.springbench.common.UpstreamFailure;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** Relays the slow upstream. */
@Component
class Upstream {

    private final WebClient client;
    private final URI url;
    private final Duration timeout;

    Upstream(
            WebClient upstreamClient,
            @Value("${springbench.upstream.url}") URI url,
            @Value("${springbench.upstream.timeout}") Duration timeout) {
        this.client = upstreamClient;
        this.url = url;
        this.timeout = timeout;
    }

    Mono<byte[]> fetch() {
        return client.get()
                .uri(url)
                .exchangeToMono(Upstream::body)
                .timeout(timeout)
                .onErrorMap(TimeoutException.class, UpstreamFailure::late)
                .onErrorMap(failure -> !(failure instanceof UpstreamFailure), UpstreamFailure::unusable);
    }

    private static Mono<byte[]> body(ClientResponse response) {
        if (!response.statusCode().is2xxSuccessful()) {
            return response.releaseBody().then(Mono.error(() -> UpstreamFailure.unusable(null)));
        }
        return response.bodyToMono(byte[].class).defaultIfEmpty(new byte[0]);
    }
}
