package dev.springbench.upstream;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Cuts requests out of the bytes of one connection, however they were split or joined on the way. Much less work than
 * a general HTTP codec: the upstream shares a core with the load generator, and its own cost is an error.
 */
final class RequestReader implements AutoCloseable {

    static final int MAX_HEAD_BYTES = 8 * 1024;

    private ByteBuf buffer;
    private int bodyBytesToSkip;

    /** Takes over the bytes. */
    void add(ByteBuf bytes) {
        if (buffer == null) {
            buffer = bytes;
            return;
        }
        try {
            buffer.discardReadBytes().writeBytes(bytes);
        } finally {
            bytes.release();
        }
    }

    /** @return the next request, or null when more bytes are needed */
    RequestHead next() throws RequestHead.Refused {
        skipBody();
        if (buffer == null || bodyBytesToSkip > 0) {
            return null;
        }
        skipEmptyLines();
        int end = endOfHead();
        int length = (end < 0 ? buffer.writerIndex() : end) - buffer.readerIndex();
        if (length > MAX_HEAD_BYTES) {
            throw new RequestHead.Refused(Responses.Error.HEAD_TOO_LARGE);
        }
        if (end < 0) {
            releaseIfEmpty();
            return null;
        }
        String head = buffer.toString(buffer.readerIndex(), length, StandardCharsets.ISO_8859_1);
        buffer.readerIndex(end + 4);
        releaseIfEmpty();
        RequestHead request = RequestHead.parse(head);
        bodyBytesToSkip = request.bodyBytes();
        return request;
    }

    @Override
    public void close() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    private void skipBody() {
        if (buffer != null && bodyBytesToSkip > 0) {
            int skipped = Math.min(bodyBytesToSkip, buffer.readableBytes());
            buffer.skipBytes(skipped);
            bodyBytesToSkip -= skipped;
            releaseIfEmpty();
        }
    }

    private void skipEmptyLines() {
        while (buffer.readableBytes() >= 2 && isCrLf(buffer.readerIndex())) {
            buffer.skipBytes(2);
        }
    }

    private int endOfHead() {
        int last = buffer.writerIndex() - 4;
        for (int at = buffer.readerIndex(); at <= last; at++) {
            at = buffer.indexOf(at, last + 1, (byte) '\r');
            if (at < 0) {
                return -1;
            }
            if (isCrLf(at) && isCrLf(at + 2)) {
                return at;
            }
        }
        return -1;
    }

    private boolean isCrLf(int at) {
        return buffer.getByte(at) == '\r' && buffer.getByte(at + 1) == '\n';
    }

    private void releaseIfEmpty() {
        if (!buffer.isReadable()) {
            close();
        }
    }
}
