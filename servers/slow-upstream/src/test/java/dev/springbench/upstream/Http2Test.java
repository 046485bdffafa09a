package dev.springbench.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** HTTP/2 with prior knowledge, frame by frame (RFC 9113; header fields by RFC 7541). */
class Http2Test {

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    // END_STREAM and END_HEADERS
    private static final int WHOLE = 0x5;
    // :method GET or POST, :scheme http, :path /
    private static final String GET = "828684";
    private static final String POST = "838684";
    // :status 200
    private static final byte OK = (byte) 0x88;

    @Test
    void streamsOfOneConnectionWaitSideBySide() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("300");
                Client client = new Client(upstream.port())) {
            OnTime.takes(Duration.ofMillis(250), Duration.ofMillis(550), () -> {
                int first = client.ask(GET);
                client.ask(GET);
                client.ask(GET);
                for (int n = 0; n < 3; n++) {
                    Frame headers = client.next(HEADERS);
                    assertThat(headers.stream).isEqualTo(first + 2 * n);
                    assertThat(headers.payload).startsWith(OK);
                    Frame body = client.next(DATA);
                    assertThat(body.stream).isEqualTo(headers.stream);
                    assertThat(new String(body.payload, StandardCharsets.US_ASCII))
                            .contains("took its time");
                }
            });
            assertThat(upstream.stat("served") % 3).isZero();
            assertThat(upstream.stat("max_in_flight")).isEqualTo(3);
            assertThat(upstream.stat("in_flight")).isZero();
        }
    }

    @Test
    void whoeverGoesIsNoLongerInFlight() throws Exception {
        try (UpstreamFixture upstream = new UpstreamFixture("5000")) {
            try (Client client = new Client(upstream.port())) {
                int cancelled = client.ask(GET);
                client.ask(GET);
                StatsTest.eventually(upstream, "in_flight", 2);
                client.send(RST_STREAM, 0, cancelled, "00000008");
                StatsTest.eventually(upstream, "in_flight", 1);
            }
            StatsTest.eventually(upstream, "in_flight", 0);
            assertThat(upstream.stat("served")).isZero();
        }
    }

    @Test
    void otherMethodsAreNotAllowedAndTheConnectionGoesOn() throws IOException {
        try (UpstreamFixture upstream = new UpstreamFixture("0");
                Client client = new Client(upstream.port())) {
            client.ask(POST);
            assertThat(client.next(HEADERS).payload[0]).isNotEqualTo(OK);
            client.ask(GET);
            assertThat(client.next(HEADERS).payload).startsWith(OK);
            assertThat(upstream.stat("served")).isEqualTo(1);
        }
    }

    private record Frame(int type, int stream, byte[] payload) {}

    private static final class Client implements AutoCloseable {

        private static final int SETTINGS = 4;
        private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        private final Socket socket;
        private final OutputStream out;
        private final DataInputStream in;
        private int stream = -1;

        Client(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(10_000);
            out = socket.getOutputStream();
            in = new DataInputStream(socket.getInputStream());
            // in two pieces, as it may come
            out.write(PREFACE, 0, 2);
            out.flush();
            out.write(PREFACE, 2, PREFACE.length - 2);
            send(SETTINGS, 0, 0, "");
        }

        /** @return its stream */
        int ask(String fields) throws IOException {
            stream += 2;
            send(HEADERS, WHOLE, stream, fields);
            return stream;
        }

        void send(int type, int flags, int of, String hex) throws IOException {
            byte[] payload = HexFormat.of().parseHex(hex);
            out.write(HexFormat.of().parseHex("%06x%02x%02x%08x".formatted(payload.length, type, flags, of)));
            out.write(payload);
        }

        /** @return the next of this type; others are passed over */
        Frame next(int type) throws IOException {
            while (true) {
                int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                int found = in.readUnsignedByte();
                in.readUnsignedByte();
                Frame frame = new Frame(found, in.readInt(), in.readNBytes(length));
                if (frame.type == type) {
                    return frame;
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
