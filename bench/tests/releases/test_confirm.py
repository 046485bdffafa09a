"""Ranges of releases are bisected as those of commits are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from springbench.analysis.comparable import FAST_PROFILE
from springbench.analysis.confirming import Measurements, PlannedBisection
from springbench.compare.execute import LiveComparison
from springbench.compare.sides import RequestedSide
from springbench.matrix.rows import Matrix
from springbench.messages import show_messages
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.releases.builds import Builds
from springbench.releases.confirm import (
    PAIRS_PROFILE,
    ReleaseChecker,
    neighbours_budget_s,
    neighbours_plan,
)
from springbench.releases.history import ReleaseHistory
from springbench.releases.release import Release, Version
from springbench.results.bisection import load_bisection
from springbench.results.comparison import SideInfo
from springbench.results.events import Direction
from tests.comparisons import comparison, finding
from tests.fakes import FakeShell

METRIC = "cpu_per_request_s"
COUNT = 8


@dataclass
class Stand:
    """Eight releases, one of which costs more CPU than those before it; comparisons know that."""

    checking: ReleaseChecker
    case: str
    culprit: int = 5
    ratio: float = 1.2
    interrupted: bool = False
    compared: list[tuple[int, int]] = field(default_factory=list)
    published: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def compare(
        self, sides: Sequence[RequestedSide], plan: Plan, budget_s: float, folder: Path, *_: Any,
        **__: Any,
    ) -> LiveComparison:  # fmt: skip
        assert plan.profile == PAIRS_PROFILE
        assert [case.id for case in plan.cases] == [self.case]
        base, head = (int((side.info.sha or "")[-1]) for side in sides)
        self.compared.append((base, head))
        found = comparison()
        found.comparison.measured_s = 100.0
        ratio = self.ratio if base < self.culprit <= head else 1.0
        verdict = "unchanged" if ratio == 1 else "regression" if ratio > 1 else "improvement"
        found.findings = [
            finding(
                verdict, ratio, case=self.case, metric=METRIC, better="lower", unit="s",
                low_ratio=0.99 * ratio, high_ratio=1.01 * ratio,
            )
        ]  # fmt: skip
        return LiveComparison(found, folder, self.interrupted, failed=False)

    def plan(self, direction: Direction) -> Measurements:
        shas = [release.sha for release in self.checking.releases]
        ends = {"good": shas[0], "bad": shas[-1]}
        planned = PlannedBisection(
            event="e1", case=self.case, metric=METRIC, direction=direction, profile=FAST_PROFILE,
            attempt=1, budget_s=1800.0, **ends,
        )  # fmt: skip
        return Measurements([], [planned], [], 0.0, 3600.0)


def side(label: str, sha: str, _: object) -> RequestedSide:
    return RequestedSide(SideInfo(kind="commit", label=label, sha=sha))


@pytest.fixture
def stand(tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch) -> Stand:
    releases = [Release(Version(4, 0, n), "boot4", f"{'a' * 39}{n}") for n in range(COUNT)]
    messages: list[str] = []
    show_messages(messages.append)
    builds = cast(Builds, SimpleNamespace(plan=make_plan(matrix, "releases")))
    checking = ReleaseChecker(
        ReleaseHistory(tmp_path), releases, builds, matrix, 3600.0, FakeShell(),
        [str(release.version) for release in releases],
    )  # fmt: skip
    new_stand = Stand(checking, make_plan(matrix, PAIRS_PROFILE).cases[0].id, messages=messages)
    monkeypatch.setattr("springbench.releases.confirm.compare_live", new_stand.compare)
    monkeypatch.setattr("springbench.releases.confirm.commit_side", side)
    monkeypatch.setattr(
        ReleaseHistory,
        "add_comparison",
        lambda _, __, purpose, ___: new_stand.published.append(purpose),
    )
    return new_stand


def check(stand: Stand, monkeypatch: pytest.MonkeyPatch, direction: Direction) -> None:
    monkeypatch.setattr(ReleaseChecker, "_plan", lambda _: stand.plan(direction))
    stand.checking.check()


@pytest.mark.parametrize(
    ("direction", "ratio", "word"),
    [("regression", 1.2, "worse"), ("improvement", 0.8, "better")],
)
def test_the_release_that_changed_a_metric_is_found_and_each_comparison_published(
    stand: Stand,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    direction: Direction,
    ratio: float,
    word: str,
) -> None:
    stand.ratio = ratio
    check(stand, monkeypatch, direction)
    assert stand.compared[0] == (0, COUNT - 1)
    assert stand.compared[-1] == (4, 5)
    assert len(stand.compared) <= 5
    assert stand.published == ["bisect"] * len(stand.compared)
    assert f"It became {word} with {'a' * 12}" in stand.messages
    [folder] = (tmp_path / "bisections").iterdir()
    outcome = load_bisection(folder).outcome
    assert outcome
    assert (outcome.kind, outcome.commits) == ("culprit", [stand.checking.releases[5].sha])


def test_ctrl_c_ends_all_further_checks(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    stand.interrupted = True
    check(stand, monkeypatch, "regression")
    assert stand.checking.interrupted
    assert stand.compared == [(0, COUNT - 1)]


def test_neighbours_that_were_measured_have_nothing_between_them_to_bisect(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand.checking.releases = stand.checking.releases[:2]
    check(stand, monkeypatch, "regression")
    assert stand.compared == []


@pytest.mark.parametrize(
    ("profile", "only", "expected_profile", "workloads", "budget_s"),
    [
        ("releases", (), PAIRS_PROFILE, ["hello", "headers", "pay"], 450.0),
        ("releases", ("*/hello/*",), PAIRS_PROFILE, ["hello"], 150.0),
        (
            "releases-requests", (), "releases-requests",
            ["hello", "hello", "headers", "headers", "header-walks", "header-walks"], 1350.0,
        ),
    ],
)  # fmt: skip
def test_neighbours_are_compared_under_every_load_of_their_variants(
    matrix: Matrix,
    profile: str,
    only: tuple[str, ...],
    expected_profile: str,
    workloads: list[str],
    budget_s: float,
) -> None:
    own = make_plan(matrix, profile, Filters(only))
    plan = neighbours_plan(matrix, own, ["boot4-jetty-virtual-jvm"])
    assert plan.profile == expected_profile
    assert list(plan.by_variant()) == ["boot4-jetty-virtual-jvm"]
    assert neighbours_budget_s(plan) == budget_s
    assert sorted(case.workload.id.partition("-h2")[0] for case in plan.cases) == sorted(workloads)
    # what is published holds for the code that services run
    assert not any(case.java_options for case in plan.cases if plan.profile == PAIRS_PROFILE)
