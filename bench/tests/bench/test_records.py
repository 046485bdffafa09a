"""What a run says of itself before anything is measured."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from springbench.bench.records import boot_versions, new_run_id
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from tests.samples import empty_run


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-tomcat-*", "*-netty-*")))


def test_the_id_of_a_run_sorts_by_time_and_says_what_it_is() -> None:
    commit = empty_run().commit
    assert re.fullmatch(r"\d{8}T\d{6}Z-quick-1a2b3c4d", new_run_id("quick", commit))
    assert re.fullmatch(r"\d{8}T\d{6}Z-quick", new_run_id("quick", None))


def test_the_versions_of_spring_boot_come_from_the_one_place_that_has_them(
    plan: Plan, tmp_path: Path
) -> None:
    assert re.fullmatch(r"4\.\d+\.\d+", boot_versions(plan)["boot4"])
    # sources that are another repository's have none: what measures tells
    assert boot_versions(plan, tmp_path) == boot_versions(plan)
    (tmp_path / "pom.xml").write_text("<boot4.version>4.1.0</boot4.version>", encoding="utf-8")
    assert boot_versions(plan, tmp_path) == {"boot4": "4.1.0"}


def test_jars_that_were_given_tell_their_own_version(plan: Plan, tmp_path: Path) -> None:
    (tmp_path / "pom.xml").write_text("<boot4.version>4.1.0</boot4.version>", encoding="utf-8")
    jar = tmp_path / "boot4-tomcat.jar"
    jar.touch()
    assert boot_versions(plan, tmp_path, tmp_path) == {"boot4": "4.1.0"}
    for name in ("boot4-tomcat.jar", "boot4-netty.jar"):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "Spring-Boot-Version: 4.0.2\r\n")
    assert boot_versions(plan, tmp_path, tmp_path) == {"boot4": "4.0.2"}
