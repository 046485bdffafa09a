package dev.springbench.contract;

import static dev.springbench.contract.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringBootVersion;

/** What every server answers, in every thread model that the matrix gives it. */
public abstract class ServerContract extends BodyContract {

    /** What a model without a cap has to serve at once. */
    private static final int UNCAPPED = 2_000;
    /** Twenty bursts of a busy host may take a minute. */
    private static final Duration COUNTING = Duration.ofMinutes(4);
    /** A connection that is never served must not hang the build. */
    private static final int CEILING_S = 600;

    /** @param server the id that the matrix knows it by */
    protected ServerContract(String server) {
        super(server);
    }

    @Test
    void theMatrixHasIt() {
        assertThat(allModels()).as("models of %s in the matrix", server).isNotEmpty();
    }

    @Test
    void runsOnTheBootLineOfItsFolder() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(expectedBootVersion());
    }

    @ParameterizedTest
    @MethodSource("models")
    void isTheServerItSaysItIs(Model model) {
        assertThat(app(model).name()).startsWithIgnoringCase(server);
    }

    @ParameterizedTest
    @MethodSource("models")
    void runsHandlersWhereTheModelSays(Model model) {
        assertThatResponse(get(model, "/thread")).isText(200, model.threadKind(server));
    }

    @ParameterizedTest
    @MethodSource("models")
    void hello(Model model) {
        assertThatResponse(get(model, "/hello")).isText(200, "Hello, World!");
    }

    @ParameterizedTest
    @MethodSource("models")
    void jsonChangesAndKeepsItsShape(Model model) {
        HttpResponse<String> first = get(model, "/json");
        HttpResponse<String> second = get(model, "/json");

        assertThatResponse(first).isJson(200);
        assertThatResponse(second).isJson(200);
        assertThat(second.body()).isNotEqualTo(first.body()).hasSameSizeAs(first.body());
        assertThat(first.body().length()).isBetween(1_500, 2_500);
        assertThat(JsonShape.of(first.body())).isEqualTo(JsonShape.expected());
        assertThat(JsonShape.of(second.body())).isEqualTo(JsonShape.expected());
    }

    @ParameterizedTest
    @MethodSource("models")
    void payWaitsASecond(Model model) {
        URI pay = app(model).uri("/pay?orderId=Z_9-a");
        List<Duration> took = new ArrayList<>();
        sometimes().untilAsserted(() -> {
            long startedAt = System.nanoTime();
            HttpResponse<String> response = client.get(pay);
            took.add(Duration.ofNanos(System.nanoTime() - startedAt));

            assertThatResponse(response)
                    .isTextMatching(200, "Order Z_9-a paid via (VISA|MASTERCARD|PAYPAL|TRANSFER|VOUCHER)");
            assertThat(took.getLast()).isLessThan(Duration.ofMillis(1_999));
        });
        assertThat(took).allSatisfy(each -> assertThat(each).isGreaterThan(Duration.ofMillis(1_000)));
    }

    @ParameterizedTest
    @MethodSource("models")
    void payHasADefaultOrderAndManyChannels(Model model) {
        List<HttpResponse<String>> responses = client.getAtOnce(app(model).uri("/pay"), 16);

        assertThat(responses).allSatisfy(response -> assertThatResponse(response)
                .isTextMatching(200, "Order A-1001 paid via [A-Z]+"));
        assertThat(responses.stream().map(HttpResponse::body).distinct()).hasSizeGreaterThan(1);
    }

    @ParameterizedTest
    @MethodSource("models")
    void payRefusesOtherOrders(Model model) {
        String message = "orderId must be 1 to 64 characters out of A-Z, a-z, 0-9, '_' and '-'";
        List<String> bad = List.of("", "A%201", "A%2F1", "%C3%84", "a&orderId=b", "x".repeat(65));
        for (String orderId : bad) {
            assertThatResponse(get(model, "/pay?orderId=" + orderId)).isError(400, "Bad Request", message);
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void serves300TasksAtOnce(Model model) {
        assertThat(client.getAtOnce(app(model).uri("/task"), MANY))
                .allSatisfy(response -> assertThatResponse(response).isText(200, "Task done"));
    }

    /** The proof behind what a report says of a cap. */
    @ParameterizedTest
    @MethodSource("countedModels")
    @Timeout(CEILING_S)
    void servesAsManyAtOnceAsTheMatrixSays(Model model) {
        URI uri = app(model).uri("");
        if (model.cap().isPresent()) {
            int cap = model.cap().get();
            // Jetty may hold back a platform thread for each processor, in reserve
            boolean reserves =
                    server.equals("jetty") && model.threadKind(server).equals("platform");
            int reserve = reserves ? Runtime.getRuntime().availableProcessors() : 0;
            assertAtOnce(uri, cap - reserve, cap);
        } else if (model.tuned()) {
            // but for the few threads that a server keeps for itself
            int asked = Matrix.TUNED_CONNECTIONS;
            assertAtOnce(uri, asked - 4, asked);
        } else {
            sometimes().atMost(COUNTING).untilAsserted(() -> assertThat(Concurrency.highest(uri, UNCAPPED))
                    .isEqualTo(UNCAPPED));
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void unknownRoutesAreNotFound(Model model) {
        for (String route : List.of("/", "/nope", "/hello/nope", "/nope.html")) {
            assertThatResponse(get(model, route))
                    .isError(
                            404,
                            "Not Found",
                            "No such route; there are /document, /download, /events, /headers, /hello, /json, /json-in, "
                                    + "/orders, /orders/{id}, /pay, /task, /thread, /upload, /upstream, /users and "
                                    + "/users/{id}");
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void otherMethodsAreNotAllowed(Model model) {
        HttpResponse<String> response = client.post(app(model).uri("/hello"));

        assertThatResponse(response)
                .isError(
                        405,
                        "Method Not Allowed",
                        "Every route answers GET only, but for POST /json-in, POST /orders and POST /upload");
        assertThat(response.headers().allValues("Allow")).containsExactly("GET");
    }

    /** Bursts of a busy host may all count too few, and are repeated; no host makes it more. */
    private static void assertAtOnce(URI server, int least, int most) {
        sometimes().atMost(COUNTING).untilAsserted(() -> {
            List<Integer> counts = Concurrency.counts(server, least, most);
            assertThat(Concurrency.within(counts, least, most))
                    .as("bursts of %s with %d to %d requests at once", counts, least, most)
                    .isGreaterThanOrEqualTo(Concurrency.ENOUGH);
            assertThat(Concurrency.within(counts, most + 1, Integer.MAX_VALUE))
                    .as("bursts of %s with more than %d requests at once", counts, most)
                    .isLessThanOrEqualTo(Concurrency.TOO_HIGH);
        });
    }
}
