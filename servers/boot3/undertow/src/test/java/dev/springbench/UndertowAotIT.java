package dev.springbench;

import dev.springbench.contract.AotContract;

class UndertowAotIT extends AotContract {

    UndertowAotIT() {
        super("undertow");
    }
}
