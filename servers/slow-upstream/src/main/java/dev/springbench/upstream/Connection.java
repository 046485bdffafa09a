package dev.springbench.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Queue;

/** One client connection: delays run side by side, responses leave in the order of their requests. */
final class Connection extends ChannelInboundHandlerAdapter {

    /** A client that pipelines more than this waits until responses have left. */
    private static final int MAX_PENDING = 256;

    private final Service service;
    private final RequestReader requests = new RequestReader();
    private final Queue<Answer> answers = new ArrayDeque<>(2);
    private ChannelHandlerContext context;
    private boolean reading;
    private boolean lastRequestSeen;

    Connection(Service service) {
        this.service = service;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        reading = true;
        requests.add((ByteBuf) message);
        try {
            RequestHead request;
            while (!lastRequestSeen && (request = requests.next()) != null) {
                lastRequestSeen = request.close();
                answer(request);
            }
        } catch (RequestHead.Refused refused) {
            lastRequestSeen = true;
            add(new Answer(refused.response.bytes(), true)).ready = true;
        }
        if (lastRequestSeen) {
            requests.close();
        }
        send();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        throttle();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        requests.close();
        for (Answer answer : answers) {
            answer.abandon();
        }
        answers.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A reset by the client is all that arrives here, and closing is all there is to do.
        context.close();
    }

    private void answer(RequestHead request) {
        ByteBuf immediate = service.immediate(request);
        if (immediate != null) {
            add(new Answer(immediate, request.close())).ready = true;
            return;
        }
        SlowAnswer slow = new SlowAnswer(request.close());
        add(slow);
        slow.start();
    }

    private <A extends Answer> A add(A answer) {
        answers.add(answer);
        return answer;
    }

    private void send() {
        boolean wrote = false;
        Answer answer;
        while ((answer = answers.peek()) != null && answer.ready) {
            answers.remove();
            answer.send();
            wrote = true;
        }
        if (wrote && !reading) {
            context.flush();
        }
        throttle();
    }

    private void throttle() {
        boolean read = answers.size() < MAX_PENDING && context.channel().isWritable();
        if (context.channel().config().isAutoRead() != read) {
            context.channel().config().setAutoRead(read);
        }
    }

    private class Answer {
        private final ByteBuf bytes;
        private final boolean last;
        boolean ready;

        Answer(ByteBuf bytes, boolean last) {
            this.bytes = bytes;
            this.last = last;
        }

        void send() {
            if (last) {
                context.write(bytes).addListener(ChannelFutureListener.CLOSE);
            } else {
                context.write(bytes, context.voidPromise());
            }
        }

        void abandon() {
            bytes.release();
        }
    }

    private final class SlowAnswer extends Answer {
        private final Wait wait = new Wait(service, context.executor(), this::due);

        SlowAnswer(boolean last) {
            super(Responses.slow(), last);
        }

        void start() {
            wait.start();
        }

        private void due() {
            ready = true;
            if (!reading) {
                Connection.this.send();
            }
        }

        @Override
        void send() {
            service.stats().answered();
            super.send();
        }

        @Override
        void abandon() {
            wait.abandon();
            super.abandon();
        }
    }
}
