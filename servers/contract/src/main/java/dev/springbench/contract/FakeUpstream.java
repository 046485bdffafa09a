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
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
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
        STALLING,
        /** Sends a byte now and then: slow, yet never silent for long. */
        TRICKLING
    }

    private static final Duration TOO_LONG = Duration.ofSeconds(5);
    private static final int BACKLOG = 1_024;

    static {
        // The JDK's server keeps 200 idle connections and closes the others without a word.
        System.setProperty("sun.net.httpserver.maxIdleConnections", "20000");
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Integer> clientPorts = ConcurrentHashMap.newKeySet();
    private final Queue<Mood> passing = new ConcurrentLinkedQueue<>();
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

    /** For one request each; then the lasting mood is back. */
    void passingMoods(Mood... moods) {
        passing.addAll(List.of(moods));
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
        Mood now = Objects.requireNonNullElse(passing.poll(), mood);
        if (now == Mood.SILENT) {
            pause(TOO_LONG);
        } else if (now == Mood.UNHURRIED) {
            pause(Duration.ofMillis(100));
        }
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(now == Mood.FAILING ? 500 : 200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (now == Mood.STALLING) {
                write(out, body, body.length / 2, TOO_LONG);
            } else if (now == Mood.TRICKLING) {
                write(out, body, 1, TOO_LONG.dividedBy(body.length));
            } else {
                out.write(body);
            }
        }
    }

    private static void write(OutputStream out, byte[] body, int step, Duration pause) throws IOException {
        for (int from = 0; from < body.length; from += step) {
            out.write(body, from, Math.min(step, body.length - from));
            out.flush();
            pause(pause);
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
