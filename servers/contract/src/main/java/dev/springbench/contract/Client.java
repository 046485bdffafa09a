package dev.springbench.contract;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** The client of the tests: HTTP/1.1, as wrk speaks it. */
final class Client implements AutoCloseable {

    private static final Duration NEVER_HUNG = Duration.ofSeconds(20);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    HttpResponse<String> get(URI uri) {
        return send(HttpRequest.newBuilder(uri).GET());
    }

    HttpResponse<String> get(URI uri, String token) {
        return send(HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token));
    }

    HttpResponse<String> post(URI uri) {
        return send(HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.noBody()));
    }

    HttpResponse<String> post(URI uri, String json) {
        return send(HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    List<HttpResponse<String>> getAtOnce(URI uri, int times) {
        return getAtOnce(List.of(uri), times);
    }

    /** So many requests to each. */
    List<HttpResponse<String>> getAtOnce(List<URI> uris, int times) {
        List<CompletableFuture<HttpResponse<String>>> responses = uris.stream()
                .map(uri -> HttpRequest.newBuilder(uri).timeout(NEVER_HUNG).build())
                .flatMap(request -> Stream.generate(() -> http.sendAsync(request, BodyHandlers.ofString()))
                        .limit(times))
                .toList();
        return responses.stream().map(CompletableFuture::join).toList();
    }

    @Override
    public void close() {
        http.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.timeout(NEVER_HUNG).build(), BodyHandlers.ofString());
        } catch (IOException failure) {
            throw new AssertionError("No response", failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted", stopped);
        }
    }
}
