package dev.springbench;

import dev.springbench.contract.ServerContract;

class UndertowTest extends ServerContract {

    UndertowTest() {
        super("undertow");
    }
}
