package dev.springbench;

import dev.springbench.contract.AotContract;

class NettyAotIT extends AotContract {

    NettyAotIT() {
        super("netty");
    }
}
