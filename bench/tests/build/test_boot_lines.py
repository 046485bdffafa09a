from __future__ import annotations

import pytest

from springbench.build.boot_lines import (
    LibraryVersion,
    versions_in,
    with_libraries,
    with_version,
)
from springbench.errors import ConfigurationError
from springbench.paths import ROOT

POM = "<a><boot4.version> 4.0.7 </boot4.version><boot40.version>1</boot40.version></a>"


def test_the_versions_of_this_clone() -> None:
    versions = versions_in((ROOT / "pom.xml").read_text(encoding="utf-8"))
    assert versions["boot4"].startswith("4.")
    assert versions["boot3"].startswith("3.")


def test_one_line_is_changed_and_nothing_else() -> None:
    changed = with_version(POM, "boot4", "4.1.0")
    assert changed == POM.replace(" 4.0.7 ", "4.1.0")
    assert versions_in(changed) == {"boot4": "4.1.0", "boot40": "1"}


@pytest.mark.parametrize("pom", ["<a/>", POM + POM])
def test_a_property_that_does_not_stand_there_once(pom: str) -> None:
    with pytest.raises(ConfigurationError, match=r"boot4\.version stands there [02] times"):
        with_version(pom, "boot4", "4.1.0")


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
