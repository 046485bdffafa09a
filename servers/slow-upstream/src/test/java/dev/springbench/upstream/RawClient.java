package dev.springbench.upstream;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that decides itself where its bytes are split, as no proper HTTP client would. */
final class RawClient implements AutoCloseable {

    static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Socket socket;
    private final InputStream in;

    RawClient(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** @return status line, an empty line, body */
    String receive() throws IOException {
        String status = line();
        int length = -1;
        String header;
        while (!(header = line()).isEmpty()) {
            if (header.startsWith("Content-Length: ")) {
                length = Integer.parseInt(header.substring(16));
            }
        }
        return status + "\n\n" + new String(in.readNBytes(length), StandardCharsets.US_ASCII);
    }

    String ask(String request) throws IOException {
        send(request);
        return receive();
    }

    boolean isClosedByServer() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("closed within a line: " + line);
            }
            line.append((char) c);
        }
        return line.substring(0, line.length() - 1);
    }
}
