package dev.springbench;

import dev.springbench.contract.AotContract;

class TomcatAotIT extends AotContract {

    TomcatAotIT() {
        super("tomcat");
    }
}
