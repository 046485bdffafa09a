package dev.springbench.mvc;

import dev.springbench.common.UpstreamFailure;
import dev.springbench.common.UpstreamLimits;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Relays the slow upstream. */
@Component
class Upstream {

    private final RestClient client;
    private final URI url;
    private final Duration timeout;

    Upstream(
            RestClient upstreamClient,
            @Value("${springbench.upstream.url}") URI url,
            @Value("${springbench.upstream.timeout}") Duration timeout) {
        this.client = upstreamClient;
        this.url = url;
        this.timeout = timeout;
    }

    byte[] fetch() {
        long startedAt = System.nanoTime();
        try {
            return client.get().uri(url).exchangeForRequiredValue((request, response) -> body(response));
        } catch (RestClientException failure) {
            // A body that stalls is cut off as an ordinary I/O error: the clock tells it apart.
            boolean late =
                    failure.contains(HttpTimeoutException.class) || System.nanoTime() - startedAt >= timeout.toNanos();
            throw late ? UpstreamFailure.late(failure) : UpstreamFailure.unusable(failure);
        }
    }

    private static byte[] body(ClientHttpResponse response) throws IOException {
        if (!response.getStatusCode().is2xxSuccessful()) {
            throw UpstreamFailure.unusable(null);
        }
        byte[] body = response.getBody().readNBytes(UpstreamLimits.MAX_BODY_BYTES + 1);
        if (body.length > UpstreamLimits.MAX_BODY_BYTES) {
            throw UpstreamFailure.unusable(null);
        }
        return body;
    }
}
