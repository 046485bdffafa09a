"""Rounds of releases: what is said of each before it is measured."""

from __future__ import annotations

import pytest
from rich.console import Console

from springbench.errors import ExitCode
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.plan.countdown import Countdown
from springbench.plan.plan import Filters, make_plan
from springbench.releases import builds
from springbench.releases.builds import PlannedRun, measure


class FakeBuilds:
    """Builds that are all there, and a place that only says things."""

    def __init__(self, matrix: Matrix) -> None:
        self.plan = make_plan(matrix, "releases", Filters(("boot4-tomcat-virtual-*",)))
        self.messages: list[str] = []
        show_messages(self.messages.append)
        self.runs = self

    def release(self, _: object) -> FakeBuilds:
        return self

    def add_run(self, _: object) -> None:
        """Nothing is kept."""

    def __truediv__(self, _: str) -> FakeBuilds:
        return self


class Named:
    name = "Spring Boot 4.0.1"
    version, sha = "4.0.1", "a" * 40


def test_each_says_how_long_all_others_take(
    matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_builds, now_s = FakeBuilds(matrix), [0.0]

    def take_twice_as_long(*_: object) -> ExitCode:
        now_s[0] += 2 * fake_builds.plan.estimate_s
        return ExitCode.OK

    monkeypatch.setattr(builds, "_measure", take_twice_as_long)
    monkeypatch.setattr(builds, "Countdown", lambda steps: Countdown(steps, lambda: now_s[0]))
    left = [PlannedRun(Named(), number) for number in (1, 2, 3)]  # type: ignore[arg-type]
    measure(left, fake_builds, 3, fake_builds, Console())  # type: ignore[arg-type]
    first, second, third = fake_builds.messages
    planned_s = fake_builds.plan.estimate_s
    assert first.startswith("\nSpring Boot 4.0.1, round 1 of 3: 1 of 3, about ")
    assert seconds(first) == pytest.approx(3 * planned_s, abs=1)
    assert seconds(second) == pytest.approx(4 * planned_s, rel=0.05)
    assert seconds(third) == pytest.approx(2 * planned_s, rel=0.05)


def seconds(line: str) -> float:
    words = line.rpartition("about ")[2].split(" left")[0].split()
    return sum(
        float(number) * {"min": 60, "s": 1}[unit]
        for number, unit in zip(words[::2], words[1::2], strict=True)
    )
