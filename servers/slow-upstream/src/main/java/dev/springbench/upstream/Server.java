package dev.springbench.upstream;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** The listening socket and its event loops. */
final class Server implements AutoCloseable {

    static final class CannotListen extends RuntimeException {
        CannotListen(InetSocketAddress address, Throwable cause) {
            super(
                    "cannot listen on " + address.getHostString() + ":" + address.getPort() + ": " + cause.getMessage()
                            + "; free it, or choose another with --port",
                    cause);
        }
    }

    private final EventLoopGroup loops;
    private final Channel channel;

    private Server(EventLoopGroup loops, Channel channel) {
        this.loops = loops;
        this.channel = channel;
    }

    static Server start(InetSocketAddress address, int threads, int backlog, DelaySequence delays, Gate gate) {
        Service service = new Service(delays, gate, new Stats(), threads);
        boolean epoll = Epoll.isAvailable();
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        Class<? extends ServerChannel> type = epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(threads, io);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(type)
                .option(ChannelOption.SO_BACKLOG, backlog)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        client.pipeline().addLast(new Opening(service));
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new CannotListen(address, bound.cause());
        }
        return new Server(loops, bound.channel());
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    void awaitClose() throws InterruptedException {
        channel.closeFuture().sync();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
