package dev.springbench.contract;

import static dev.springbench.contract.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every server answers to {@code /users} and {@code /orders}, over each access it has, with a real PostgreSQL behind it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DatabaseContract {

    private static final Duration TIMEOUT = Duration.ofMillis(2_500);
    private static final URI NO_UPSTREAM = URI.create("http://127.0.0.1:9/");
    private static final String ROW = "/users/1";
    private static final int MANY = 40;

    private final List<Setting> settings;
    private final Client client = new Client();
    private final Map<Setting, RunningServer> running = new HashMap<>();
    /** Until the end: Netty's servers share event loops, which end with the first of them. */
    private final List<RunningServer> all = new ArrayList<>();

    private TestDatabase database;

    /** An access in one of the server's thread models. */
    record Setting(Model model, String access) {}

    /**
     * @param server the id that the matrix knows it by
     * @param accesses the values of {@code springbench.database} that it has
     */
    protected DatabaseContract(String server, String... accesses) {
        String boot = "boot" + System.getProperty("springbench.bootVersion").split("\\.")[0];
        List<Model> models =
                Matrix.read(Path.of(System.getProperty("springbench.matrix"))).models(boot, server);
        // models that differ by a limit alone read from the database in the same way
        Map<String, Model> kinds = new TreeMap<>();
        models.forEach(model -> kinds.putIfAbsent(model.threadKind(server), model));
        // where one model is looked at, one access is too
        List<String> ways =
                Matrix.isWhole() ? List.of(accesses) : List.of(accesses).subList(0, 1);
        this.settings = kinds.values().stream()
                .flatMap(model -> ways.stream().map(access -> new Setting(model, access)))
                .toList();
    }

    @BeforeAll
    void startDatabase(@TempDir Path folder) {
        database = new TestDatabase(folder.resolve("data"));
    }

    @AfterAll
    void stop() {
        client.close();
        all.forEach(RunningServer::close);
        database.close();
    }

    @ParameterizedTest
    @MethodSource("settings")
    void readsOneRow(Setting setting) {
        HttpResponse<String> response = get(setting, "/users/42");

        assertThatResponse(response).isJson(200);
        assertThat(response.body())
                .isEqualTo("{\"id\":42,\"name\":\"User 42\",\"email\":\"user42@example.org\","
                        + "\"city\":\"Dundee\",\"createdAtEpochS\":1500000042}");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aMissingRowIsNotFound(Setting setting) {
        assertThatResponse(get(setting, "/users/101")).isError(404, "Not Found", "No user has this id");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void readsAPageById(Setting setting) {
        HttpResponse<String> response = get(setting, "/users?after=41&size=3");

        assertThatResponse(response).isJson(200);
        assertThat(response.body())
                .startsWith("[{\"id\":42,\"name\":\"User 42\",\"email\":\"user42@example.org\",")
                .contains("},{\"id\":43,", "},{\"id\":44,")
                .doesNotContain("\"id\":45,");
        // the table ends at 100
        assertThat(get(setting, "/users?after=98").body()).contains("\"id\":99,", "\"id\":100,");
        assertThat(get(setting, "/users?after=100").body()).isEqualTo("[]");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void refusesOtherPages(Setting setting) {
        for (String query : List.of("after=-1", "size=0", "size=101", "after=1000000000")) {
            assertThatResponse(get(setting, "/users?" + query))
                    .isError(400, "Bad Request", "after must be a number from 0 to 999999999, size from 1 to 100");
        }
    }

    @ParameterizedTest
    @MethodSource("orderSettings")
    void readsAnOrderWithItsLines(Setting setting) {
        HttpResponse<String> response = get(setting, "/orders/42");

        assertThatResponse(response).isJson(200);
        // 1 + (42 × 7 + 131 × 0, 1, 2) % 1000 are the products, 1 + (42 + 0, 1, 2) % 5 how many of each
        assertThat(response.body())
                .isEqualTo("{\"id\":42,\"customerId\":3,\"status\":\"paid\",\"createdAtEpochS\":1600000042,"
                        + "\"totalCents\":43338,\"lines\":[{\"sku\":\"A-0295\",\"quantity\":3,\"unitCents\":1915},"
                        + "{\"sku\":\"A-0426\",\"quantity\":4,\"unitCents\":6762},"
                        + "{\"sku\":\"A-0557\",\"quantity\":5,\"unitCents\":2109}]}");
        assertThatResponse(get(setting, "/orders/100000000")).isError(404, "Not Found", "No order has this id");
        assertThatResponse(get(setting, "/orders/x"))
                .isError(400, "Bad Request", "id must be a whole number from 1 to 999999999");
    }

    @ParameterizedTest
    @MethodSource("orderSettings")
    void listsACustomersNewestOrders(Setting setting) {
        HttpResponse<String> response = get(setting, "/orders?customer=3&size=2");

        assertThatResponse(response).isJson(200);
        assertThat(response.body())
                .startsWith("[{\"id\":292,\"customerId\":3,\"status\":\"paid\",\"createdAtEpochS\":1600000292,"
                        + "\"totalCents\":")
                .contains("},{\"id\":282,")
                .doesNotContain("\"id\":272,", "lines");
        assertThat(get(setting, "/orders?customer=999").body()).isEqualTo("[]");
        for (String query : List.of("customer=0", "customer=1&size=0", "customer=1&size=101")) {
            assertThatResponse(get(setting, "/orders?" + query))
                    .isError(400, "Bad Request", "customer must be a number from 1 on, size from 1 to 100");
        }
    }

    @ParameterizedTest
    @MethodSource("orderSettings")
    void createsAnOrderAtThePricesOfItsProducts(Setting setting) {
        HttpResponse<String> response = create(
                setting,
                "{\"customerId\":77,\"items\":[{\"sku\":\"A-0295\",\"quantity\":2},{\"sku\":\"A-0426\",\"quantity\":1}]}");

        assertThatResponse(response).isJson(201);
        String place = response.headers().firstValue("Location").orElseThrow();
        assertThat(place).matches("/orders/[0-9]{3,}");
        assertThat(response.body())
                .startsWith(
                        "{\"id\":" + place.substring(8) + ",\"customerId\":77,\"status\":\"new\",\"createdAtEpochS\":")
                .endsWith("\"totalCents\":10592,\"lines\":[{\"sku\":\"A-0295\",\"quantity\":2,\"unitCents\":1915},"
                        + "{\"sku\":\"A-0426\",\"quantity\":1,\"unitCents\":6762}]}");
        assertThat(get(setting, place).body()).isEqualTo(response.body());
    }

    @ParameterizedTest
    @MethodSource("orderSettings")
    void refusesOrdersThatBreakARule(Setting setting) {
        String none = "{\"customerId\":1,\"items\":[]}";
        String broken = "{\"customerId\":0,\"items\":[{\"sku\":\"B-1\",\"quantity\":0}]}";
        String unknown = "{\"customerId\":1,\"items\":[{\"sku\":\"Z-0001\",\"quantity\":1}]}";

        assertThatResponse(create(setting, none)).isError(400, "Bad Request", "items must not be empty");
        assertThatResponse(create(setting, broken))
                .isError(
                        400,
                        "Bad Request",
                        "customerId must be greater than 0; items[0].quantity must be greater than or equal to 1; "
                                + "items[0].sku must match \\\"[A-Z]-[0-9]{4}\\\"");
        assertThatResponse(create(setting, unknown)).isError(400, "Bad Request", "No product has the sku Z-0001");
        assertThatResponse(create(setting, "["))
                .isError(400, "Bad Request", "The body must be JSON of the kind that the route takes");
    }

    @ParameterizedTest
    @MethodSource("settings")
    void refusesOtherIds(Setting setting) {
        for (String id : List.of("0", "-1", "01", "1.5", "abc", "1000000000", "%31%20")) {
            assertThatResponse(get(setting, "/users/" + id))
                    .isError(400, "Bad Request", "id must be a whole number from 1 to 999999999");
        }
    }

    @ParameterizedTest
    @MethodSource("oneOrderSetting")
    void ordersAreForThoseWithATokenWhereItIsAsked(Setting setting) {
        RunningServer secured = start(setting, NO_UPSTREAM, Map.of("springbench.security", "true"));
        URI order = secured.uri("/orders/42");
        assertThat(client.get(order).statusCode()).isEqualTo(401);
        assertThat(client.get(order, "not a token").statusCode()).isEqualTo(401);

        // reactor-netty#4361: a connection that was refused from another thread may never be read again
        try (Client next = new Client()) {
            assertThatResponse(next.get(secured.uri("/hello"))).isText(200, "Hello, World!");
            HttpResponse<String> answer = next.post(secured.uri("/token"));
            assertThatResponse(answer).isJson(200);
            String token = answer.body().replaceFirst("^\\{\"access_token\":\"([^\"]+)\"}$", "$1");
            assertThatResponse(next.get(order, token)).isJson(200);
        }
        // nobody issues tokens where none is asked for
        assertThat(client.post(app(setting).uri("/token")).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("oneOrderSetting")
    void requestsAreCountedOrTracedWhereItIsAsked(Setting setting) {
        try (TraceSink sink = new TraceSink()) {
            RunningServer counting = start(setting, sink.uri(), Map.of("springbench.metrics", "true"));
            RunningServer tracing = start(
                    setting,
                    sink.uri(),
                    Map.of("springbench.tracing", "true", "management.tracing.sampling.probability", "1.0"));
            for (int times = 0; times < 3; times++) {
                assertThatResponse(client.get(counting.uri("/orders/42"))).isJson(200);
            }
            assertThat(client.get(counting.uri("/actuator/prometheus")).body())
                    .containsPattern("http_server_requests_seconds_count\\{.*uri=\"/orders/\\{id}\".*} 3");
            assertThat(sink.received()).doesNotContain("/orders/{id}");

            assertThatResponse(client.get(tracing.uri("/orders/42"))).isJson(200);
            EveryModel.sometimes()
                    .untilAsserted(() -> assertThat(sink.received()).contains("/orders/{id}"));
        }
        // nobody looks where nothing is asked for
        assertThat(client.get(app(setting).uri("/actuator/prometheus")).statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void manyShareThePool(Setting setting) {
        assertThat(client.getAtOnce(app(setting).uri("/users/7"), MANY))
                .allSatisfy(response -> assertThatResponse(response).isJson(200));
        // other settings' servers may hold pools of their own
        assertThat(database.connections()).isBetween(1, TestDatabase.POOL_SIZE * all.size());
    }

    /** All settings wait for the same lock, since it takes them seconds to give up. */
    @Test
    void aSlowDatabaseIsUnavailableInTime() throws SQLException {
        int each = 2 * TestDatabase.POOL_SIZE;
        List<URI> rows = settings.stream().map(setting -> app(setting).uri(ROW)).toList();
        assertThat(settings)
                .allSatisfy(setting -> assertThatResponse(get(setting, ROW)).isJson(200));
        long startedAt = System.nanoTime();
        List<HttpResponse<String>> responses;
        try (Connection lock = database.locked()) {
            responses = client.getAtOnce(rows, each);
            lock.rollback();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - startedAt);

        for (int n = 0; n < settings.size(); n++) {
            assertThat(responses.subList(n * each, (n + 1) * each))
                    .as("%s", settings.get(n))
                    .allSatisfy(DatabaseContract::assertUnavailable);
        }
        assertThat(took).isLessThan(TIMEOUT.multipliedBy(4));
        assertThat(settings)
                .allSatisfy(setting -> assertThatResponse(get(setting, ROW)).isJson(200));
    }

    /** Down for all settings at once, since their pools share it. */
    @Test
    void aDatabaseThatIsDownIsUnavailableUntilItIsBack() {
        assertThat(settings)
                .allSatisfy(setting -> assertThatResponse(get(setting, ROW)).isJson(200));
        database.down();
        try {
            assertThat(settings).allSatisfy(setting -> {
                assertUnavailable(get(setting, ROW));
                assertThatResponse(get(setting, "/hello")).isText(200, "Hello, World!");
            });
        } finally {
            database.up();
            untilPoolsLook();
        }
        assertThat(settings)
                .allSatisfy(setting -> assertThatResponse(comesBack(setting)).isJson(200));
    }

    @ParameterizedTest
    @MethodSource("models")
    void withoutADatabaseTheRouteSaysSo(Model model) {
        Setting none = new Setting(model, "none");
        assertThatResponse(get(none, "/users/1"))
                .isError(
                        503,
                        "Service Unavailable",
                        "This server was started without a database; springbench.database names one");
        assertThatResponse(get(none, "/users/x"))
                .isError(400, "Bad Request", "id must be a whole number from 1 to 999999999");
        assertThatResponse(get(none, "/hello")).isText(200, "Hello, World!");
    }

    List<Setting> settings() {
        return settings;
    }

    /** Orders are read as most do it: through JPA, or on a reactive server with R2DBC. */
    List<Setting> orderSettings() {
        return settings.stream()
                .filter(setting -> !setting.access().equals("jdbc"))
                .toList();
    }

    List<Setting> oneOrderSetting() {
        return orderSettings().subList(0, 1);
    }

    List<Model> models() {
        return settings.stream().map(Setting::model).distinct().toList();
    }

    /** Pools hold dead connections. Hikari tries one that has lain idle for half a second. */
    private static void untilPoolsLook() {
        try {
            Thread.sleep(600);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A pool may need a moment, or lose a connection that it did not know to be dead. */
    private HttpResponse<String> comesBack(Setting setting) {
        HttpResponse<String> response = get(setting, ROW);
        for (int attempt = 0; attempt < 10 && response.statusCode() == 503; attempt++) {
            response = get(setting, ROW);
        }
        return response;
    }

    private static void assertUnavailable(HttpResponse<String> response) {
        assertThatResponse(response)
                .isError(503, "Service Unavailable", "The database cannot be reached or did not answer in time");
    }

    private HttpResponse<String> get(Setting setting, String route) {
        return client.get(app(setting).uri(route));
    }

    private HttpResponse<String> create(Setting setting, String order) {
        return client.post(app(setting).uri("/orders"), order);
    }

    private RunningServer app(Setting setting) {
        return running.computeIfAbsent(setting, this::start);
    }

    private RunningServer start(Setting setting) {
        return start(setting, NO_UPSTREAM, Map.of());
    }

    private RunningServer start(Setting setting, URI upstream, Map<String, String> further) {
        Map<String, String> properties = new HashMap<>(setting.model().properties());
        properties.putAll(database.properties((int) TIMEOUT.toMillis()));
        properties.put("springbench.database", setting.access());
        properties.put("springbench.validation", "true");
        properties.putAll(further);
        RunningServer started = InProcess.start(RunningServer.arguments(properties, upstream, "1s"));
        all.add(started);
        return started;
    }
}
