package dev.springbench;

import dev.springbench.contract.AotContract;

class JettyAotIT extends AotContract {

    JettyAotIT() {
        super("jetty");
    }
}
