package dev.springbench.upstream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An upstream on any free port, with a client to ask it. */
final class UpstreamFixture implements AutoCloseable {

    private final Server server;

    UpstreamFixture(String delay) {
        this(delay, 1, 1);
    }

    UpstreamFixture(String delay, long seed, int threads) {
        this(delay, seed, threads, Gate.OPEN);
    }

    UpstreamFixture(String delay, long seed, int threads, int atOnce) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        server = Server.start(address, threads, 4_096, new DelaySequence(Delay.parse(delay), seed), new Gate(atOnce));
    }

    int port() {
        return server.port();
    }

    RawClient connect() throws IOException {
        return new RawClient(port());
    }

    String stats() throws IOException {
        try (RawClient client = connect()) {
            return client.ask("GET /stats HTTP/1.1\r\n\r\n").split("\n\n")[1];
        }
    }

    double stat(String name) throws IOException {
        Matcher value = Pattern.compile("\"" + name + "\":([0-9.]+)").matcher(stats());
        if (!value.find()) {
            throw new AssertionError(name + " is missing");
        }
        return Double.parseDouble(value.group(1));
    }

    @Override
    public void close() {
        server.close();
    }
}
