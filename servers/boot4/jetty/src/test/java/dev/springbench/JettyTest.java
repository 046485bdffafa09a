package dev.springbench;

import dev.springbench.contract.ServerContract;

class JettyTest extends ServerContract {

    JettyTest() {
        super("jetty");
    }
}
