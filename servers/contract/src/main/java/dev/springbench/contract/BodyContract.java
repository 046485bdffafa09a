package dev.springbench.contract;

import static dev.springbench.contract.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many headers, bodies of some size, and each protocol of the matrix. */
abstract class BodyContract extends RelayContract {

    private static final int MEBIBYTE = 1 << 20;
    private static final int ANSWER_HEADERS = 10;
    private static final Map<String, String> VALIDATING_AND_COMPRESSING =
            Map.of("springbench.validation", "true", "server.compression.enabled", "true");

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    BodyContract(String server) {
        super(server);
    }

    @ParameterizedTest
    @MethodSource("models")
    void readsHeadersAsOftenAsItIsAsked(Model model) throws Exception {
        // three letters by name, the same of all values of a name, and those of two headers on a walk
        HttpRequest request = HttpRequest.newBuilder(
                        app(model).uri("/headers?gets=1&lists=1&walks=2&sets=" + ANSWER_HEADERS))
                .headers("X-Value-01", "abc", "x-value-30", "de", "X-Other", "not counted")
                .build();

        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());

        assertThatResponse(response).isText(200, "16 characters read");
        List<String> names = IntStream.rangeClosed(1, ANSWER_HEADERS)
                .mapToObj("x-answer-%02d"::formatted)
                .toList();
        assertThat(response.headers().map().keySet().stream().filter(name -> name.startsWith("x-answer-")))
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @ParameterizedTest
    @MethodSource("models")
    void refusesToReadHeadersForEver(Model model) {
        assertThatResponse(get(model, "/headers?walks=101"))
                .isError(400, "Bad Request", "gets, lists, walks and sets must be numbers from 0 to 100");
    }

    @ParameterizedTest
    @MethodSource("models")
    void answersWithAMebibyteThatIsTheSameEachTime(Model model) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(app(model).uri("/download")).build();

        HttpResponse<byte[]> first = http.send(request, BodyHandlers.ofByteArray());
        HttpResponse<byte[]> second = http.send(request, BodyHandlers.ofByteArray());

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().firstValue("content-length")).hasValue(String.valueOf(MEBIBYTE));
        assertThat(first.body()).hasSize(MEBIBYTE).isEqualTo(second.body());
    }

    @ParameterizedTest
    @MethodSource("models")
    void readsAMebibyteToItsEnd(Model model) throws Exception {
        URI upload = app(model).uri("/upload");
        byte[] body = new byte[MEBIBYTE];
        for (HttpRequest.BodyPublisher publisher : List.of(
                BodyPublishers.ofByteArray(body),
                // in chunks, since nobody knows how long it is
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))) {
            HttpRequest request = HttpRequest.newBuilder(upload).POST(publisher).build();
            assertThatResponse(http.send(request, BodyHandlers.ofString())).isText(200, MEBIBYTE + " bytes received");
        }
    }

    @Test
    void takesAnInvoiceAndAddsUpItsLines() throws Exception {
        RunningServer validating = speaking(Protocol.HTTP1);
        String invoice = get(models().getFirst(), "/json").body();

        HttpResponse<String> answered =
                post(validating, invoice.replaceFirst("\"totals\":\\{[^}]*}", "\"totals\":null"));

        assertThatResponse(answered).isJson(200);
        assertThat(answered.body()).isEqualTo(invoice);
        assertThatResponse(post(validating, invoice.replace("\"currency\":\"EUR\"", "\"currency\":\"euro\"")))
                .isError(400, "Bad Request", "currency must match \\\"[A-Z]{3}\\\"");
        assertThatResponse(post(validating, "["))
                .isError(400, "Bad Request", "The body must be JSON of the kind that the route takes");
    }

    private HttpResponse<String> post(RunningServer running, String document) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(running.uri("/json-in"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @ParameterizedTest
    @MethodSource("models")
    void sendsEventsOneAfterTheOther(Model model) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(app(model).uri("/events?count=3&everyMs=150"))
                .build();
        long startedAt = System.nanoTime();

        HttpResponse<String> response = http.send(request, BodyHandlers.ofString());

        assertThat(response.headers().firstValue("content-type").orElseThrow()).startsWith("text/event-stream");
        assertThat(response.body().lines().filter(line -> !line.isEmpty()))
                .containsExactly(
                        "data:event 0000 of a stream that nobody waits for",
                        "data:event 0001 of a stream that nobody waits for",
                        "data:event 0002 of a stream that nobody waits for");
        assertThat(System.nanoTime() - startedAt).isGreaterThanOrEqualTo(450_000_000L);
        assertThatResponse(get(model, "/events?count=0"))
                .isError(400, "Bad Request", "count must be a number from 1 to 1000, everyMs from 1 to 60000");
    }

    /** The whole answer takes more than eight minutes: who has read its first event in one did not wait for the rest. */
    @ParameterizedTest
    @MethodSource("models")
    void sendsAnEventAsSoonAsItIsDue(Model model) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(app(model).uri("/events?count=1000&everyMs=500"))
                .timeout(Duration.ofSeconds(60))
                .build();

        HttpResponse<Stream<String>> response = http.send(request, BodyHandlers.ofLines());

        try (Stream<String> lines = response.body()) {
            assertThat(lines.findFirst()).hasValue("data:event 0000 of a stream that nobody waits for");
        }
    }

    @Test
    void compressesADocumentWhereItIsAsked() throws Exception {
        RunningServer compressing = speaking(Protocol.HTTP1);
        HttpRequest request = HttpRequest.newBuilder(compressing.uri("/document"))
                .header("Accept-Encoding", "gzip")
                .build();

        HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());

        assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
        byte[] document = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
        assertThat(document.length).isBetween(18_000, 22_000);
        assertThat(response.body().length).isLessThan(document.length / 4);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void answersOverTheProtocol(Protocol protocol) throws Exception {
        HttpClient.Version version = protocol.http2() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1;
        RunningServer running = speaking(protocol);
        try (HttpClient speaking = HttpClient.newBuilder()
                .version(version)
                .sslContext(ServerKey.get().trust())
                .build()) {
            String base = running.uri("").toString().replaceFirst("^http:", protocol.tls() ? "https:" : "http:");
            // the first may ask whether the server speaks it
            speaking.send(HttpRequest.newBuilder(URI.create(base + "/hello")).build(), BodyHandlers.discarding());
            String invoice = text(speaking, HttpRequest.newBuilder(URI.create(base + "/json")));
            for (Asked asked : List.of(
                    new Asked("/hello", null, "Hello, World!".length()),
                    new Asked("/headers?gets=10&lists=10&walks=1&sets=10", null, -1),
                    new Asked("/json", null, invoice.length()),
                    new Asked("/json-in", invoice.getBytes(StandardCharsets.UTF_8), invoice.length()),
                    new Asked("/upload", new byte[MEBIBYTE], -1),
                    new Asked("/download", null, MEBIBYTE),
                    new Asked("/document", null, -1),
                    new Asked("/pay", null, -1),
                    new Asked("/task", null, "Task done".length()),
                    new Asked("/upstream", null, FakeUpstream.BODY.length()),
                    new Asked("/events?count=2&everyMs=10", null, -1))) {
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(URI.create(base + asked.route())).header("Accept-Encoding", "gzip");
                if (asked.body() != null) {
                    request.header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(asked.body()));
                }

                HttpResponse<byte[]> response = speaking.send(request.build(), BodyHandlers.ofByteArray());

                assertThat(response.statusCode()).as(asked.route()).isEqualTo(200);
                assertThat(response.version()).as(asked.route()).isEqualTo(version);
                assertThat(response.sslSession().isPresent()).isEqualTo(protocol.tls());
                if (asked.bytes() >= 0
                        && response.headers().firstValue("content-encoding").isEmpty()) {
                    assertThat(response.body()).as(asked.route()).hasSize(asked.bytes());
                }
                assertThat(response.body()).as(asked.route()).isNotEmpty();
            }
        }
    }

    /** @return the protocols that the server which speaks this one is started with */
    List<Protocol> spokenWith(Protocol protocol) {
        return List.of(protocol);
    }

    /** A server that validates, compresses and speaks the protocol. */
    private RunningServer speaking(Protocol protocol) {
        Map<String, String> properties = new HashMap<>(VALIDATING_AND_COMPRESSING);
        for (Protocol spoken : spokenWith(protocol)) {
            spoken.properties()
                    .forEach((name, value) ->
                            properties.put(name, ServerKey.get().fill(value)));
        }
        return appWith(properties);
    }

    /** A request, and how long its answer is where it is not compressed; -1 where that is no matter. */
    private record Asked(String route, byte[] body, int bytes) {}

    private static String text(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofString()).body();
    }
}
