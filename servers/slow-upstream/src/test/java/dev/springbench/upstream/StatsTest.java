package dev.springbench.upstream;

import static dev.springbench.upstream.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatsTest {

    private static final String RESET = "POST /stats/reset HTTP/1.1\r\nContent-Length: 0\r\n\r\n";

    @Test
    void haveAFixedForm() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("uniform(1,2)", 5, 2)) {
            assertThat(upstream.stats())
                    .matches("\\{\"served\":0,\"in_flight\":0,\"max_in_flight\":0,\"lateness_max_ms\":0\\.000,"
                            + "\"lateness_p99_ms\":0\\.000,\"lateness_mean_ms\":0\\.000,\"cpu_time_s\":\\d+\\.\\d{3},"
                            + "\"traced\":0,\"delay\":\"uniform\\(1,2\\)\",\"seed\":5,\"threads\":2}");
        }
    }

    @Test
    void tracesAreTakenAtOnceAndCounted() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("5000");
                RawClient client = upstream.connect()) {
            assertThat(client.ask("POST /v1/traces HTTP/1.1\r\nContent-Length: 5\r\n\r\nspans"))
                    .startsWith("HTTP/1.1 200 OK");
            assertThat(upstream.stat("traced")).isEqualTo(1);
            assertThat(upstream.stat("served")).isZero();
        }
    }

    @Test
    void countSlowResponsesOnlyAndStartAnewOnReset() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("20");
                RawClient client = upstream.connect()) {
            client.ask(GET);
            client.ask(GET);
            assertThat(upstream.stat("served")).isEqualTo(2);
            assertThat(upstream.stat("max_in_flight")).isEqualTo(1);
            assertThat(upstream.stat("lateness_max_ms")).isPositive();

            assertThat(client.ask(RESET)).startsWith("HTTP/1.1 200 OK");
            assertThat(upstream.stat("served")).isZero();
            assertThat(upstream.stat("max_in_flight")).isZero();
            assertThat(upstream.stat("lateness_max_ms")).isZero();
        }
    }

    @Test
    void aClientThatLeavesIsNoLongerInFlight() throws Exception {
        try (UpstreamFixture upstream = new UpstreamFixture("5000")) {
            try (RawClient client = upstream.connect()) {
                client.send(GET + GET);
                eventually(upstream, "in_flight", 2);
            }
            eventually(upstream, "in_flight", 0);
            assertThat(upstream.stat("served")).isZero();
        }
    }

    static void eventually(UpstreamFixture upstream, String name, double value) throws Exception {
        long giveUpAt = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (upstream.stat(name) != value && System.nanoTime() < giveUpAt) {
            Thread.sleep(5);
        }
        assertThat(upstream.stat(name)).as(name).isEqualTo(value);
    }
}
