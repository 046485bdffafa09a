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
import java.util.List;

/**
 * Many requests at once, each on a connection of its own, and when each was answered.
 *
 * <p>One thread and no client library: what is timed is the server, on a host that may have no more than a core to spare.
 */
final class Burst {

    private static final Duration NEVER_ANSWERED = Duration.ofSeconds(30);

    private final long[] answeredAtNs;

    private Burst(long[] answeredAtNs) {
        this.answeredAtNs = answeredAtNs;
    }

    /** Connects first and only then asks, so that a short accept queue costs nothing but patience. */
    static Burst of(URI uri, int times) {
        List<SocketChannel> channels = new ArrayList<>(times);
        try (Selector selector = Selector.open()) {
            InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
            for (int n = 0; n < times; n++) {
                channels.add(SocketChannel.open(address));
            }
            String target = uri.getRawPath();
            byte[] request = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                    .formatted(target, uri.getAuthority())
                    .getBytes();
            for (SocketChannel channel : channels) {
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ);
                channel.write(ByteBuffer.wrap(request));
            }
            return new Burst(answers(selector, times));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } finally {
            channels.forEach(Burst::close);
        }
    }

    /**
     * How many requests were in the works at once, at least. Each waits for {@code delay}: those answered within less
     * than that after one another had all begun before the first of them was answered. A slow server lowers the count
     * and never raises it; a late look at an answer may raise it, by those that came in the meantime, so that 30 % of
     * the delay are left as margin.
     */
    int atOnce(Duration delay) {
        long window = delay.toNanos() * 7 / 10;
        int most = 0;
        int first = 0;
        for (int last = 0; last < answeredAtNs.length; last++) {
            while (answeredAtNs[last] - answeredAtNs[first] >= window) {
                first++;
            }
            most = Math.max(most, last - first + 1);
        }
        return most;
    }

    private static long[] answers(Selector selector, int times) throws IOException {
        long[] answeredAtNs = new long[times];
        long deadline = System.nanoTime() + NEVER_ANSWERED.toNanos();
        ByteBuffer buffer = ByteBuffer.allocate(4_096);
        int answered = 0;
        while (answered < times) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("%d of %d requests got no answer".formatted(times - answered, times));
            }
            selector.select(NEVER_ANSWERED.toMillis());
            long now = System.nanoTime();
            for (SelectionKey key : selector.selectedKeys()) {
                answeredAtNs[answered++] = now;
                check((SocketChannel) key.channel(), buffer);
                key.cancel();
            }
            selector.selectedKeys().clear();
        }
        return answeredAtNs;
    }

    private static void check(SocketChannel channel, ByteBuffer buffer) throws IOException {
        channel.read(buffer.clear());
        String answer = StandardCharsets.ISO_8859_1.decode(buffer.flip()).toString();
        if (!answer.startsWith("HTTP/1.1 200")) {
            throw new AssertionError("Not answered with 200: " + answer);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
