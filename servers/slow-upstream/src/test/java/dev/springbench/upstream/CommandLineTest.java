package dev.springbench.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @MethodSource("mistakes")
    void aBadOptionIsOneLineAndExitCode2(String[] arguments, String says) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).startsWith("slow-upstream: ").contains(says).containsOnlyOnce("\n");
        assertThat(out.toString()).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("'abc' is not an int", "--port", "abc"),
                mistake("--port must be 0 to 65535, not 70000", "--port", "70000"),
                mistake("'soon' is no delay", "--delay", "soon"),
                mistake("--threads must be 1 to 1024, not 0", "--threads", "0"),
                mistake("--backlog must be", "--backlog", "0"),
                mistake("'x' is not a long", "--seed", "x"),
                mistake("'no.such.host.invalid' is not known", "--host", "no.such.host.invalid"),
                mistake("Missing required parameter", "--port"),
                mistake("--wait", "--wait", "5"));
    }

    @Test
    void aTakenPortIsOneLineAndExitCode3() {
        try (UpstreamFixture other = new UpstreamFixture("0")) {
            assertThat(run("--port", String.valueOf(other.port()))).isEqualTo(3);
            assertThat(err.toString())
                    .startsWith("slow-upstream: cannot listen on 127.0.0.1:" + other.port())
                    .contains("--port")
                    .containsOnlyOnce("\n");
        }
    }

    @Test
    void helpNamesEveryOption() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString())
                .contains("--port", "--host", "--delay", "--seed", "--threads", "--backlog", "Example:");
    }

    private int run(String... arguments) {
        CommandLine command = Main.commandLine();
        return command.setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    private static Arguments mistake(String says, String... arguments) {
        return Arguments.of(arguments, says);
    }
}
