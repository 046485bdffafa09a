package dev.springbench.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many connections to a server, and requests on all of them at once.
 *
 * <p>One thread and no client library: what is timed is the server, on a host that may have no more than a core to spare.
 */
final class Connections implements AutoCloseable {

    private static final Duration NEVER_ANSWERED = Duration.ofSeconds(30);
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");
    private static final String HEAD_END = "\r\n\r\n";

    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(4_096);
    private final String host;

    private Connections(String host) {
        this.host = host;
    }

    /** Each one is used once before the next is opened, so that none waits in an accept queue that may be short. */
    static Connections open(URI server, int count) {
        Connections connections = new Connections(server.getAuthority());
        InetSocketAddress address = new InetSocketAddress(server.getHost(), server.getPort());
        try {
            for (int n = 0; n < count; n++) {
                SocketChannel channel = SocketChannel.open(address);
                connections.channels.add(channel);
                connections.ask(channel, "/hello");
                StringBuilder answer = new StringBuilder();
                boolean answered = false;
                while (!answered) {
                    answered = connections.answered(channel, answer);
                }
            }
            return connections;
        } catch (IOException failure) {
            connections.close();
            throw new UncheckedIOException(failure);
        } catch (AssertionError unexpected) {
            connections.close();
            throw unexpected;
        }
    }

    /** @return when each request was answered, in nanoseconds and in this order */
    long[] askAtOnce(String route) {
        try (Selector selector = Selector.open()) {
            for (SocketChannel channel : channels) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, new StringBuilder());
            }
            for (SocketChannel channel : channels) {
                ask(channel, route);
            }
            return answers(selector);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void ask(SocketChannel channel, String route) throws IOException {
        String request = "GET %s HTTP/1.1\r\nHost: %s%s".formatted(route, host, HEAD_END);
        channel.write(StandardCharsets.ISO_8859_1.encode(request));
    }

    private long[] answers(Selector selector) throws IOException {
        long[] answeredAtNs = new long[channels.size()];
        long deadline = System.nanoTime() + NEVER_ANSWERED.toNanos();
        int answered = 0;
        while (answered < answeredAtNs.length) {
            selector.select(NEVER_ANSWERED.toMillis());
            long now = System.nanoTime();
            if (now > deadline) {
                throw new AssertionError("%d of %d requests were answered".formatted(answered, answeredAtNs.length));
            }
            for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); keys.remove()) {
                SelectionKey key = keys.next();
                if (answered((SocketChannel) key.channel(), (StringBuilder) key.attachment())) {
                    answeredAtNs[answered++] = now;
                    key.cancel();
                }
            }
        }
        return answeredAtNs;
    }

    /** Adds what has come to {@code answer}. */
    private boolean answered(SocketChannel channel, StringBuilder answer) throws IOException {
        if (channel.read(buffer.clear()) < 0) {
            throw new AssertionError("The server closed a connection after: " + answer);
        }
        answer.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
        int head = answer.indexOf(HEAD_END);
        if (head < 0) {
            return false;
        }
        Matcher length = LENGTH.matcher(answer);
        if (!answer.toString().startsWith("HTTP/1.1 200") || !length.find()) {
            throw new AssertionError("Not answered with 200 and a length: " + answer);
        }
        return answer.length() >= head + HEAD_END.length() + Integer.parseInt(length.group(1));
    }
}
