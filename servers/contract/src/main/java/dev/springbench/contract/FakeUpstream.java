package dev.springbench.contract;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An upstream that behaves as a test wants: well, badly, late, or not at all. */
final class FakeUpstream implements AutoCloseable {

    static final String BODY = "what the upstream says";

    enum Mood {
        FINE,
        /** Answers after 100 ms. */
        UNHURRIED,
        FAILING,
        /** Sends nothing for longer than anybody waits. */
        SILENT,
        /** Sends the headers and half of the body, then nothing. */
        STALLING
    }

    private static final Duration TOO_LONG = Duration.ofSeconds(3);
    private static final int BACKLOG = 1_024;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
    private volatile Mood mood = Mood.FINE;
    private HttpServer server;
    private final int port;

    FakeUpstream() {
        server = listen(0);
        port = server.getAddress().getPort();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    void mood(Mood mood) {
        this.mood = mood;
    }

    /** Refuses connections until {@link #up()}. */
    void down() {
        server.stop(0);
    }

    void up() {
        server = listen(port);
    }

    /** @return how many connections have been opened and used so far */
    int connections() {
        return clientPorts.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private HttpServer listen(int port) {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            HttpServer listening = HttpServer.create(address, BACKLOG);
            listening.createContext("/", this::answer);
            listening.setExecutor(threads);
            listening.start();
            return listening;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        clientPorts.add(exchange.getRemoteAddress().getPort());
        byte[] body = BODY.getBytes(StandardCharsets.UTF_8);
        Mood now = mood;
        if (now == Mood.SILENT) {
            pause(TOO_LONG);
        } else if (now == Mood.UNHURRIED) {
            pause(Duration.ofMillis(100));
        }
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(now == Mood.FAILING ? 500 : 200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (now == Mood.STALLING) {
                out.write(body, 0, body.length / 2);
                out.flush();
                pause(TOO_LONG);
                out.write(body, body.length / 2, body.length - body.length / 2);
            } else {
                out.write(body);
            }
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
