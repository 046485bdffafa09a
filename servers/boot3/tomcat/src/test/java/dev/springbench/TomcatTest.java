package dev.springbench;

import dev.springbench.contract.ServerContract;

class TomcatTest extends ServerContract {

    TomcatTest() {
        super("tomcat");
    }
}
