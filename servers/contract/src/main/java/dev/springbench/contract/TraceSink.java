package dev.springbench.contract;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Where traces go: keeps what it is sent. */
final class TraceSink implements AutoCloseable {

    private final HttpServer server;
    private final Queue<String> received = new ConcurrentLinkedQueue<>();

    TraceSink() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.createContext("/v1/traces", exchange -> {
            // names in a message of protocol buffers are legible
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    String received() {
        return String.join("\n", received);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
