package dev.springbench;

import dev.springbench.contract.DatabaseContract;

class UndertowDatabaseTest extends DatabaseContract {

    UndertowDatabaseTest() {
        super("undertow", "jpa", "jdbc");
    }
}
