package dev.springbench.upstream;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.util.AsciiString;
import io.netty.util.ReferenceCountUtil;
import java.util.HashMap;
import java.util.Map;

/** One client connection over HTTP/2: each GET is a stream, and is answered slowly. */
final class Http2Connection extends ChannelInboundHandlerAdapter {

    private static final Http2Headers SLOW = ReadOnlyHttp2Headers.serverHeaders(
            true,
            AsciiString.cached("200"),
            AsciiString.cached("content-type"),
            AsciiString.cached(Responses.TEXT),
            AsciiString.cached("content-length"),
            AsciiString.cached(String.valueOf(Responses.slowBody().readableBytes())));
    private static final Http2Headers WRONG_METHOD = ReadOnlyHttp2Headers.serverHeaders(
            true, AsciiString.cached("405"), AsciiString.cached("allow"), AsciiString.cached("GET"));

    private final Service service;
    private final Map<Http2FrameStream, Wait> waits = new HashMap<>();
    private boolean reading;

    Http2Connection(Service service) {
        this.service = service;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        reading = true;
        if (frame instanceof Http2HeadersFrame request) {
            answer(context, request);
        } else if (frame instanceof Http2DataFrame body) {
            int bytes = body.initialFlowControlledBytes();
            context.write(new DefaultHttp2WindowUpdateFrame(bytes).stream(body.stream()));
        } else if (frame instanceof Http2ResetFrame reset) {
            Wait wait = waits.remove(reset.stream());
            if (wait != null) {
                wait.abandon();
            }
        }
        ReferenceCountUtil.release(frame);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.flush();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waits.values().forEach(Wait::abandon);
        waits.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    private void answer(ChannelHandlerContext context, Http2HeadersFrame request) {
        Http2FrameStream stream = request.stream();
        CharSequence method = request.headers().method();
        if (method == null) {
            // the trailers of a body
            return;
        }
        if (!AsciiString.contentEquals(method, "GET")) {
            context.write(new DefaultHttp2HeadersFrame(WRONG_METHOD, true).stream(stream));
            return;
        }
        Wait wait = new Wait(service, context.executor(), () -> send(context, stream));
        waits.put(stream, wait);
        wait.start();
    }

    private void send(ChannelHandlerContext context, Http2FrameStream stream) {
        waits.remove(stream);
        service.stats().answered();
        context.write(new DefaultHttp2HeadersFrame(SLOW, false).stream(stream));
        context.write(new DefaultHttp2DataFrame(Responses.slowBody(), true).stream(stream));
        if (!reading) {
            context.flush();
        }
    }
}
