package dev.springbench.mvc;

import dev.springbench.common.UpstreamFailure;
import dev.springbench.common.UpstreamLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.apache.hc.core5.http.io.EofSensorInputStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Relays the slow upstream. */
@Component
class Upstream {

    private static final int CHUNK_BYTES = 1_024;

    private final RestClient client;
    private final URI url;
    private final long timeoutNs;

    Upstream(
            RestClient upstreamClient,
            @Value("${springbench.upstream.url}") URI url,
            @Value("${springbench.upstream.timeout}") Duration timeout) {
        this.client = upstreamClient;
        this.url = url;
        this.timeoutNs = timeout.toNanos();
    }

    byte[] fetch() {
        long startedAt = System.nanoTime();
        try {
            return client.get().uri(url).exchange((request, response) -> body(response, startedAt));
        } catch (RestClientException failure) {
            throw failure.contains(SocketTimeoutException.class)
                    ? UpstreamFailure.late(failure)
                    : UpstreamFailure.unusable(failure);
        }
    }

    private byte[] body(ClientHttpResponse response, long startedAt) throws IOException {
        InputStream in = response.getBody();
        if (!response.getStatusCode().is2xxSuccessful()) {
            throw abandon(in, UpstreamFailure.unusable(null));
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream(CHUNK_BYTES);
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            body.write(chunk, 0, read);
            if (body.size() > UpstreamLimits.MAX_BODY_BYTES) {
                throw abandon(in, UpstreamFailure.unusable(null));
            }
            // The socket's timeout starts again with every byte; a trickle must end as well.
            if (System.nanoTime() - startedAt > timeoutNs) {
                throw abandon(in, UpstreamFailure.late(null));
            }
        }
        return body.toByteArray();
    }

    /** Drops the connection: merely closing the response would first read what is left of the body, however long. */
    private static UpstreamFailure abandon(InputStream body, UpstreamFailure failure) throws IOException {
        if (body instanceof EofSensorInputStream connected) {
            connected.abort();
        }
        return failure;
    }
}
