package dev.springbench.upstream;

import static dev.springbench.upstream.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes in, bytes out: requests split, joined, long and wrong. */
class RequestTest {

    private static UpstreamFixture upstream;

    @BeforeAll
    static void start() {
        upstream = new UpstreamFixture("0");
    }

    @AfterAll
    static void stop() {
        upstream.close();
    }

    @Test
    void oneConnectionServesManyRequests() throws IOException {
        try (RawClient client = upstream.connect()) {
            String first = client.ask(GET);
            assertThat(first).startsWith("HTTP/1.1 200 OK\n\n").hasSizeBetween(100, 130);
            assertThat(client.ask("GET /any/path?with=query HTTP/1.1\r\n\r\n")).isEqualTo(first);
        }
    }

    @Test
    void aRequestMayArriveByteByByte() throws Exception {
        try (RawClient client = upstream.connect()) {
            for (char c : GET.toCharArray()) {
                client.send(String.valueOf(c));
                Thread.sleep(1);
            }
            assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
        }
    }

    @Test
    void requestsMayArriveJoinedAndCutAnywhere() throws Exception {
        String three = GET + "\r\n" + GET + GET;
        try (RawClient client = upstream.connect()) {
            for (int cut = 1; cut < three.length(); cut++) {
                client.send(three.substring(0, cut));
                Thread.onSpinWait();
                client.send(three.substring(cut));
                for (int n = 0; n < 3; n++) {
                    assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
                }
            }
        }
    }

    @Test
    void aThousandPipelinedRequestsAreAllAnswered() throws IOException {
        try (RawClient client = upstream.connect()) {
            client.send(GET.repeat(1_000));
            for (int n = 0; n < 1_000; n++) {
                assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
            }
        }
    }

    @Test
    void aBodyIsSkipped() throws IOException {
        try (RawClient client = upstream.connect()) {
            client.send("GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nGET /" + GET);
            assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
            assertThat(client.receive()).startsWith("HTTP/1.1 200 OK");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"})
    void closesWhenAsked(String request) throws IOException {
        try (RawClient client = upstream.connect()) {
            assertThat(client.ask(request)).startsWith("HTTP/1.1 200 OK");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "GET /\r\n\r\n",
                "GET x HTTP/1.1\r\n\r\n",
                "GET / HTTP/2.0\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length : 1\r\n\r\n"
            })
    void malformedIs400AndTheEndOfTheConnection(String request) throws IOException {
        assertRefused(request, "HTTP/1.1 400 Bad Request");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\r\n\r\n"})
    void moreThan8KilobytesOfHeadersAre431(String end) throws IOException {
        String header = "X-Long: " + "x".repeat(RequestReader.MAX_HEAD_BYTES);
        assertRefused("GET / HTTP/1.1\r\n" + header + end, "HTTP/1.1 431 ");
    }

    @Test
    void largeAndEncodedBodiesAreRefused() throws IOException {
        assertRefused("GET / HTTP/1.1\r\nContent-Length: 1100000\r\n\r\n", "HTTP/1.1 413 ");
        assertRefused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "HTTP/1.1 501 ");
    }

    @Test
    void otherMethodsAreNotAllowedAndTheConnectionGoesOn() throws IOException {
        try (RawClient client = upstream.connect()) {
            assertThat(client.ask("DELETE / HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 405 Method Not Allowed");
            assertThat(client.ask(GET)).startsWith("HTTP/1.1 200 OK");
        }
    }

    private static void assertRefused(String request, String status) throws IOException {
        try (RawClient client = upstream.connect()) {
            assertThat(client.ask(request)).startsWith(status);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }
}
