from __future__ import annotations

import pytest

from springbench.build.boot_lines import (
    versions_in,
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
