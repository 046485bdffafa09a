package dev.springbench;

import dev.springbench.contract.ServerContract;

class NettyTest extends ServerContract {

    NettyTest() {
        super("netty");
    }
}
