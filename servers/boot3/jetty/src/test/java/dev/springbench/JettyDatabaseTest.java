package dev.springbench;

import dev.springbench.contract.DatabaseContract;

class JettyDatabaseTest extends DatabaseContract {

    JettyDatabaseTest() {
        super("jetty", "jpa", "jdbc");
    }
}
