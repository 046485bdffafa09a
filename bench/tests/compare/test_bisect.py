from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from springbench.compare.bisect import STATE_FILE, Bisection, BisectState, Measured, load_state
from springbench.errors import BuildError, ConfigurationError
from tests.comparisons import finding

CASE, METRIC = "boot4-tomcat-virtual-jvm/hello/64", "throughput_rps"
COMMITS = [f"{place:040x}" for place in range(1, 13)]


class Host:
    """Measures a history in which one commit made a step; some of it does not build."""

    def __init__(self, culprit: int, step: float = 0.85, broken: frozenset[int] = frozenset()):
        self.culprit, self.step, self.broken = culprit, step, broken
        self.asked: list[tuple[str, str]] = []
        self.random = random.Random(1)

    def level(self, sha: str) -> float:
        place = COMMITS.index(sha) + 1 if sha in COMMITS else 0
        if place in self.broken:
            raise BuildError(f"{sha[:12]} does not build")
        return math.log(self.step) if place >= self.culprit else 0.0

    def __call__(self, base: str, head: str, budget_s: float) -> Measured:
        self.asked.append((base, head))
        ratio = math.exp(self.level(head) - self.level(base) + self.random.gauss(0, 0.003))
        verdict = "regression" if ratio < 0.97 else "unchanged"
        return Measured(str(len(self.asked)), 60.0, finding(verdict, ratio))


def state() -> BisectState:
    return BisectState(good="0" * 40, bad=COMMITS[-1], case=CASE, metric=METRIC, commits=COMMITS)


def run(
    folder: Path, host: Host, given: BisectState | None = None, budget_s: float = 3600.0
) -> tuple[BisectState, list[str]]:
    said: list[str] = []
    ended = Bisection(given or state(), folder, host, budget_s, 300.0, said.append).run()
    return ended, said


@pytest.mark.parametrize("culprit", range(1, 13))
def test_the_commit_is_found(tmp_path: Path, culprit: int) -> None:
    ended, _ = run(tmp_path, Host(culprit))
    assert (ended.outcome, ended.culprits) == ("commit", [COMMITS[culprit - 1]])
    assert len(ended.comparisons) <= 6


def test_both_ends_come_first_and_nothing_more_where_they_are_alike(tmp_path: Path) -> None:
    host = Host(13)
    ended, _ = run(tmp_path, host)
    assert ended.outcome == "no change"
    assert host.asked == [("0" * 40, COMMITS[-1])]


def test_what_does_not_build_is_stepped_around_and_named(tmp_path: Path) -> None:
    ended, said = run(tmp_path, Host(9, broken=frozenset({6, 7})))
    assert ended.culprits == [COMMITS[8]]
    assert any("does not build" in line for line in said)


def test_a_culprit_that_does_not_build_leaves_the_range(tmp_path: Path) -> None:
    ended, _ = run(tmp_path, Host(7, broken=frozenset({7})))
    assert (ended.outcome, ended.culprits) == ("range", COMMITS[6:8])


def test_a_spent_budget_leaves_a_range_and_more_budget_goes_on(tmp_path: Path) -> None:
    ended, said = run(tmp_path, Host(5), budget_s=150.0)
    assert ended.outcome == "range"
    assert COMMITS[4] in ended.culprits
    assert any("--resume" in line for line in said)
    again = Host(5)
    ended, _ = run(tmp_path, again, load_state(tmp_path))
    assert ended.culprits == [COMMITS[4]]
    assert ("0" * 40, COMMITS[-1]) not in again.asked


@pytest.mark.parametrize(
    ("text", "words"),
    [("{", "cut short"), ('{"schema":9}', "another springbench"), (None, "name the folder")],
)
def test_a_state_that_cannot_be_read_is_told(tmp_path: Path, text: str | None, words: str) -> None:
    if text is not None:
        (tmp_path / STATE_FILE).write_text(text)
    with pytest.raises(ConfigurationError, match=words):
        load_state(tmp_path)
