"""Every jar that is not there is named once, services' own too."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.build import jars
from springbench.build.jars import find_jars, upstream_jar
from springbench.errors import ConfigurationError
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan


@pytest.fixture
def plan(matrix: Matrix) -> Plan:
    return make_plan(matrix, "quick", Filters(("*-tomcat-*", "*-netty-*")))


def test_every_missing_jar_is_named_once(tmp_path: Path, plan: Plan) -> None:
    with pytest.raises(ConfigurationError) as caught:
        find_jars(plan, tmp_path)
    assert str(caught.value) == f"--jars {tmp_path}: not there: boot4-tomcat.jar, boot4-netty.jar"
    for name in ("boot4-tomcat.jar", "boot4-netty.jar"):
        (tmp_path / name).touch()
    find_jars(plan, tmp_path)


def test_the_upstream_is_needed_by_what_calls_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matrix: Matrix
) -> None:
    monkeypatch.setattr(jars, "ROOT", tmp_path / "clone")
    load = Load(workload="upstream", connections=(1,), boots="newest", servers=("netty",))
    relay = Profile(id="relay", description="", loads=(load,))
    plan = make_plan(matrix.model_copy(update={"profiles": (relay,)}), "relay")
    (tmp_path / "boot4-netty.jar").touch()
    with pytest.raises(ConfigurationError, match=r"not there: slow-upstream\.jar"):
        find_jars(plan, tmp_path)
    (tmp_path / "slow-upstream.jar").touch()
    find_jars(plan, tmp_path)
    assert upstream_jar(tmp_path) == tmp_path / "slow-upstream.jar"
    assert upstream_jar(None) == tmp_path / "clone/servers/slow-upstream/target/slow-upstream.jar"
