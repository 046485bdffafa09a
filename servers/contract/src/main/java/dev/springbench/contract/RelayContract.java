package dev.springbench.contract;

import static dev.springbench.contract.ResponseAssert.assertThatResponse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.springbench.contract.FakeUpstream.Mood;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How every server relays a slow upstream, and what it answers when that is not well. */
abstract class RelayContract extends EveryModel {

    RelayContract(String server) {
        super(server);
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

    private static void assertBadGateway(HttpResponse<String> response) {
        assertThatResponse(response)
                .isError(502, "Bad Gateway", "The upstream cannot be reached or did not answer with a status 2xx");
    }
}
