"""Other versions of libraries in the `pom.xml` of the servers."""

from __future__ import annotations

import pytest

from evaluation.replay.libraries import LibraryVersion, with_libraries
from springbench.errors import ConfigurationError
from springbench.paths import ROOT

POM = "<project><properties><boot4.version>4.0.2</boot4.version></properties></project>"
NETTY = LibraryVersion("netty.version", "4.2.1.Final", boms=("io.netty:netty-bom",))
HIKARI = LibraryVersion("hikaricp.version", "7.1.0", artifacts=("com.zaxxer:HikariCP",))


def test_libraries_stand_above_the_versions_of_spring_boot() -> None:
    pom = (ROOT / "servers/pom.xml").read_text(encoding="utf-8")
    changed = with_libraries(pom, [NETTY, HIKARI])
    managed = changed.split("<dependencyManagement>")[1]
    assert managed.index("<artifactId>netty-bom<") < managed.index("spring-boot-dependencies")
    assert "<version>4.2.1.Final</version><type>pom</type><scope>import</scope>" in managed
    assert "<artifactId>HikariCP</artifactId><version>7.1.0</version></dependency>" in managed
    assert HIKARI.words == "hikaricp 7.1.0"
    assert with_libraries(pom, []) == pom


def test_a_file_that_manages_no_versions() -> None:
    with pytest.raises(ConfigurationError, match="0 blocks of dependencyManagement"):
        with_libraries(POM, [NETTY])
