"""What of a plan this host can run, and what the messages say of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.build import availability
from springbench.build.availability import unavailable
from springbench.host.tools.find import Tool
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, make_plan

REASON = "needs native-image"


def test_native_cases_are_skipped_with_the_command_that_enables_them(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make_plan(matrix, "study-virtual-threads")
    native = {case.id for case in study.cases if case.variant.runtime.id == "native"}
    assert 0 < len(native) < len(study.cases)
    monkeypatch.setattr(availability, "find_native_image", lambda: None)
    absent = unavailable(study, None)
    assert set(absent) == native
    assert "`sdk install java 25-graalce`" in next(iter(absent.values()))
    tool = Tool("native-image", Path("/graalvm/bin/native-image"), "25")
    monkeypatch.setattr(availability, "find_native_image", lambda: tool)
    assert unavailable(study, None) == {}


def test_beside_jars_an_image_must_lie_that_was_made_elsewhere(
    matrix: Matrix, tmp_path: Path
) -> None:
    plan = make_plan(matrix, "full", Filters(only=("boot4-tomcat-*-native/hello/64",)))
    image = tmp_path / "boot4-tomcat-virtual-native" / "server"
    image.parent.mkdir()
    image.write_bytes(b"image")
    absent = unavailable(plan, tmp_path)
    # the models of one image share it
    assert {name.split("-")[2] for name in absent} == {"platform"}
    assert all("not there: boot4-tomcat-platform-native/server" in why for why in absent.values())


def test_a_plan_without_native_cases_asks_for_nothing(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(availability, "find_native_image", lambda: pytest.fail("asked"))
    assert unavailable(make_plan(matrix, "quick"), None) == {}
