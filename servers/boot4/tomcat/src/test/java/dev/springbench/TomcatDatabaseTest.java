package dev.springbench;

import dev.springbench.contract.DatabaseContract;

class TomcatDatabaseTest extends DatabaseContract {

    TomcatDatabaseTest() {
        super("tomcat", "jpa", "jdbc");
    }
}
