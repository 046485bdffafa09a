package dev.springbench;

import dev.springbench.contract.DatabaseContract;

class NettyDatabaseTest extends DatabaseContract {

    NettyDatabaseTest() {
        super("netty", "r2dbc");
    }
}
