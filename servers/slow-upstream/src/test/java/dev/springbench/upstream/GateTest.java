package dev.springbench.upstream;

import static dev.springbench.upstream.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GateTest {

    @Test
    void thoseBeyondTheCapWaitForTheirTurn() {
        List<String> began = new ArrayList<>();
        Gate gate = new Gate(2);
        for (String name : List.of("a", "b", "c", "d")) {
            gate.enter(() -> began.add(name));
        }
        assertThat(began).containsExactly("a", "b");
        gate.leave();
        assertThat(began).containsExactly("a", "b", "c");
        gate.leave();
        gate.leave();
        gate.enter(() -> began.add("e"));
        assertThat(began).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void anOpenGateHoldsNobodyBack() {
        List<Integer> began = new ArrayList<>();
        Gate gate = new Gate(Gate.OPEN);
        for (int n = 0; n < 100; n++) {
            int number = n;
            gate.enter(() -> began.add(number));
        }
        assertThat(began).hasSize(100);
    }

    @Test
    void sixRequestsTwoAtATimeTakeThreeDelays() throws IOException {
        List<RawClient> clients = new ArrayList<>();
        try (UpstreamFixture upstream = new UpstreamFixture("200", 1, 1, 2)) {
            for (int n = 0; n < 6; n++) {
                clients.add(upstream.connect());
            }
            OnTime.takes(Duration.ofMillis(590), Duration.ofMillis(900), () -> {
                for (RawClient client : clients) {
                    client.send(GET);
                }
                for (RawClient client : clients) {
                    assertThat(client.receive()).contains("took its time");
                }
            });
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test
    void whoLeavesWhileWaitingFreesNothingTwice() throws IOException {
        OnTime.sometimes().untilAsserted(GateTest::leaveWhileWaiting);
    }

    private static void leaveWhileWaiting() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("150", 1, 1, 1);
                RawClient last = upstream.connect()) {
            try (RawClient first = upstream.connect();
                    RawClient second = upstream.connect()) {
                first.send(GET);
                second.send(GET);
            }
            Duration took = OnTime.time(Duration.ofMillis(140), () -> {
                last.send(GET);
                assertThat(last.receive()).contains("took its time");
            });
            // at worst behind the two that went away
            assertThat(took).isLessThan(Duration.ofMillis(800));
            assertThat(upstream.stat("in_flight")).isZero();
        }
    }
}
