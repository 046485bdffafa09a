package dev.springbench.contract;

import static dev.springbench.contract.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.springbench.contract.FakeUpstream.Mood;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringBootVersion;

/** What every server answers, in every thread model that the matrix gives it. A server is started once a model. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ServerContract {

    /** Long enough for 300 relays at once in a process that has only started, on a busy host. */
    private static final Duration UPSTREAM_TIMEOUT = Duration.ofMillis(1_500);

    private static final int MANY = 300;

    /** What a model without a cap has to serve at once. */
    private static final int UNCAPPED = 2_000;
    /** A connection that is never served must not hang the build. */
    private static final int CEILING_S = 600;

    private final String server;
    private final List<Model> models;
    private final FakeUpstream upstream = new FakeUpstream();
    private final Client client = new Client();
    private final Map<Model, RunningServer> running = new HashMap<>();

    /** @param server the id that the matrix knows it by */
    protected ServerContract(String server) {
        this.server = server;
        String boot = "boot" + expectedBootVersion().split("\\.")[0];
        this.models =
                Matrix.read(Path.of(System.getProperty("springbench.matrix"))).models(boot, server);
    }

    @AfterEach
    void soothe() {
        upstream.mood(Mood.FINE);
    }

    @AfterAll
    void stop() {
        client.close();
        running.values().forEach(RunningServer::close);
        upstream.close();
    }

    @Test
    void theMatrixHasIt() {
        assertThat(models).as("models of %s in the matrix", server).isNotEmpty();
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
    @MethodSource("allModels")
    @Timeout(CEILING_S)
    void servesAsManyAtOnceAsTheMatrixSays(Model model) {
        if (model.cap().isPresent()) {
            int cap = model.cap().get();
            // Jetty may hold back a platform thread for each processor, in reserve
            boolean reserves =
                    server.equals("jetty") && model.threadKind(server).equals("platform");
            int reserve = reserves ? Runtime.getRuntime().availableProcessors() : 0;
            assertThat(told(Concurrency.settled(app(model).uri(""), cap))).isBetween(cap - reserve, cap);
        } else if (model.tuned()) {
            // but for the few threads that a server keeps for itself
            assertThat(told(Concurrency.settled(app(model).uri(""), Matrix.TUNED_CONNECTIONS)))
                    .isBetween(Matrix.TUNED_CONNECTIONS - 4, Matrix.TUNED_CONNECTIONS);
        } else {
            assertThat(told(Concurrency.reached(app(model).uri(""), UNCAPPED))).isEqualTo(UNCAPPED);
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
                            "No such route; there are /hello, /json, /pay, /task, /thread, /upstream and /users/{id}");
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void otherMethodsAreNotAllowed(Model model) {
        HttpResponse<String> response = client.post(app(model).uri("/hello"));

        assertThatResponse(response).isError(405, "Method Not Allowed", "Every route answers GET only");
        assertThat(response.headers().allValues("Allow")).containsExactly("GET");
    }

    @ParameterizedTest
    @MethodSource("models")
    void relaysTheUpstreamOverFewConnections(Model model) {
        int before = upstream.connections();
        int times = 20;
        IntStream.range(0, times)
                .forEach(n -> assertThatResponse(get(model, "/upstream")).isText(200, FakeUpstream.BODY));

        assertThat(upstream.connections() - before)
                .as("connections for %d requests in a row", times)
                .isLessThan(5);
    }

    @ParameterizedTest
    @MethodSource("models")
    void relays300AtOnce(Model model) {
        upstream.mood(Mood.UNHURRIED);
        URI relay = app(model).uri("/upstream");
        sometimes().untilAsserted(() -> assertThat(client.getAtOnce(relay, MANY))
                .allSatisfy(response -> assertThatResponse(response).isText(200, FakeUpstream.BODY)));
    }

    @ParameterizedTest
    @MethodSource("models")
    void aFailingUpstreamIsABadGateway(Model model) {
        upstream.mood(Mood.FAILING);
        assertBadGateway(get(model, "/upstream"));
    }

    @ParameterizedTest
    @MethodSource("models")
    void anUpstreamThatIsDownIsABadGatewayUntilItIsBack(Model model) {
        app(model);
        upstream.down();
        try {
            assertBadGateway(get(model, "/upstream"));
        } finally {
            upstream.up();
        }
        assertThatResponse(get(model, "/upstream")).isText(200, FakeUpstream.BODY);
    }

    @ParameterizedTest
    @MethodSource("models")
    void aSlowUpstreamTimesOut(Model model) {
        Mood[] slow = {Mood.SILENT, Mood.STALLING, Mood.TRICKLING};
        URI relay = app(model).uri("/upstream");
        List<Duration> took = new ArrayList<>();
        sometimes().untilAsserted(() -> {
            upstream.passingMoods(slow);
            long startedAt = System.nanoTime();
            List<HttpResponse<String>> responses = client.getAtOnce(relay, slow.length);
            took.add(Duration.ofNanos(System.nanoTime() - startedAt));

            assertThat(responses).allSatisfy(response -> assertThatResponse(response)
                    .isError(504, "Gateway Timeout", "The upstream did not answer in time"));
            assertThat(took.getLast()).isLessThan(UPSTREAM_TIMEOUT.plusSeconds(1));
        });
        assertThat(took).allSatisfy(each -> assertThat(each).isGreaterThan(UPSTREAM_TIMEOUT));
    }

    /** The count, or a test that is skipped: bursts that agree on none tell nothing of the server. */
    private static int told(OptionalInt atOnce) {
        assumeThat(atOnce)
                .as("bursts that agree on how many it serves; is the host busy?")
                .isPresent();
        return atOnce.getAsInt();
    }

    /** On a busy host what is limited in time fails now and then; what fails for a minute is broken. */
    private static ConditionFactory sometimes() {
        return await().pollDelay(Duration.ZERO).atMost(Duration.ofMinutes(1));
    }

    /** @return the models that are held to the whole contract */
    List<Model> models() {
        return models;
    }

    final List<Model> allModels() {
        return models;
    }

    /** What is set once a process needs a process of its own. */
    RunningServer start(Model model, List<String> arguments) {
        if (model.systemProperties().isEmpty()) {
            return InProcess.start(arguments);
        }
        List<String> program = List.of("-cp", System.getProperty("java.class.path"), InProcess.APPLICATION);
        return OwnProcess.start(model.systemProperties(), program, arguments);
    }

    private static String expectedBootVersion() {
        return System.getProperty("springbench.bootVersion");
    }

    private static void assertBadGateway(HttpResponse<String> response) {
        assertThatResponse(response)
                .isError(502, "Bad Gateway", "The upstream cannot be reached or did not answer with a status 2xx");
    }

    private HttpResponse<String> get(Model model, String route) {
        return client.get(app(model).uri(route));
    }

    RunningServer app(Model model) {
        return running.computeIfAbsent(
                model,
                absent -> start(
                        absent,
                        RunningServer.arguments(
                                absent.properties(), upstream.uri(), UPSTREAM_TIMEOUT.toMillis() + "ms")));
    }
}
