package dev.springbench.upstream;

import static dev.springbench.upstream.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {

    @Test
    void aFixedDelayIsKept() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("200");
                RawClient client = upstream.connect()) {
            for (int n = 0; n < 3; n++) {
                OnTime.takes(Duration.ofMillis(200), Duration.ofMillis(400), () -> client.ask(GET));
            }
        }
    }

    @Test
    void aSeedGivesTheSameDelaysOnTheWire() throws IOException {
        OnTime.sometimes().untilAsserted(() -> {
            DelaySequence expected = new DelaySequence(Delay.parse("uniform(0,200)"), 42);
            try (UpstreamFixture upstream = new UpstreamFixture("uniform(0,200)", 42, 1);
                    RawClient client = upstream.connect()) {
                for (int n = 0; n < 8; n++) {
                    Duration delay = Duration.ofNanos(expected.nextNanos());
                    assertThat(OnTime.time(delay, () -> client.ask(GET))).isLessThan(delay.plusMillis(100));
                }
            }
        });
    }

    @Test
    void pipelinedDelaysRunSideBySideAndKeepTheirOrder() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("300");
                RawClient client = upstream.connect()) {
            OnTime.takes(Duration.ofMillis(250), Duration.ofMillis(550), () -> {
                client.send(GET + "GET /stats HTTP/1.1\r\n\r\n" + GET);
                assertThat(client.receive()).contains("took its time");
                assertThat(client.receive()).contains("\"served\"");
                assertThat(client.receive()).contains("took its time");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void twoThousandWaitAtOnceAndAllAreInTime(int threads) throws IOException {
        OnTime.sometimes().untilAsserted(() -> twoThousandAtOnce(threads));
    }

    private static void twoThousandAtOnce(int threads) throws IOException {
        int connections = 2_000;
        List<RawClient> clients = new ArrayList<>();
        try (UpstreamFixture upstream = new UpstreamFixture("1000", 1, threads)) {
            for (int n = 0; n < connections; n++) {
                clients.add(upstream.connect());
            }
            Duration took = OnTime.time(Duration.ofMillis(1_000), () -> {
                for (RawClient client : clients) {
                    client.send(GET);
                }
                for (RawClient client : clients) {
                    assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
                }
            });
            assertThat(took).isLessThan(Duration.ofMillis(2_000));
            assertThat(upstream.stat("served")).isEqualTo(connections);
            assertThat(upstream.stat("in_flight")).isZero();
            assertThat(upstream.stat("max_in_flight")).isGreaterThan(connections * 0.9);
            assertThat(upstream.stat("lateness_p99_ms")).isLessThan(500);
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }
}
