package dev.springbench.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import java.util.List;

/** The first bytes of a connection: a client that knows it speaks HTTP/2 begins with its preface (RFC 9113, 3.4). */
final class Opening extends ByteToMessageDecoder {

    /** No method of HTTP/1.1 begins so. */
    private static final byte[] PREFACE = {'P', 'R', 'I'};

    private final Service service;

    Opening(Service service) {
        this.service = service;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        int seen = Math.min(in.readableBytes(), PREFACE.length);
        boolean http2 = true;
        for (int n = 0; n < seen && http2; n++) {
            http2 = in.getByte(in.readerIndex() + n) == PREFACE[n];
        }
        if (http2 && seen < PREFACE.length) {
            return;
        }
        ChannelPipeline pipeline = context.pipeline();
        if (http2) {
            pipeline.addLast(Http2FrameCodecBuilder.forServer().build(), new Http2Connection(service));
        } else {
            pipeline.addLast(new Connection(service));
        }
        // it hands on what it has
        pipeline.remove(this);
    }
}
