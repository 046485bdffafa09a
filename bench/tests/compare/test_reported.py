"""Two files of another harness compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from springbench.compare.reported import ONE_FORK, ReportedComparison, compare_reported
from springbench.harnesses.readers import BY_HARNESS
from tests.conftest import Cli
from tests.harnesses import samples

FORKS = [[40.0, 40.2], [40.1, 40.3], [39.9, 40.1]]


def times(factor: float, forks: list[list[float]] = FORKS, **changes: Any) -> dict[str, Any]:
    raw = [[factor * value for value in fork] for fork in forks]
    return samples.jmh(metric={"score": 40.1 * factor, "rawData": raw}, **changes)


def compared(folder: Path, base: Any, head: Any, harness: str = "jmh") -> ReportedComparison:
    files = [
        samples.written(folder, document, f"{index}.json")
        for index, document in enumerate((base, head))
    ]
    return compare_reported(files[0], files[1], BY_HARNESS[harness])


@pytest.mark.parametrize(
    ("factor", "verdict"), [(1.3, "regression"), (0.8, "improvement"), (1.0, "unchanged")]
)
def test_forks_decide_in_the_direction_of_the_unit(
    factor: float, verdict: str, tmp_path: Path
) -> None:
    [found] = compared(tmp_path, [times(1)], [times(factor)]).findings
    assert (found.verdict, found.case) == (
        verdict,
        "org.example.ParseBench.parse, size=10, average time",
    )
    assert found.ratio == pytest.approx(factor)
    assert found.low_ratio <= factor <= found.high_ratio
    base, head = (times(scale, mode="thrpt") for scale in (1, factor))
    for document in (base, head):
        document["primaryMetric"]["scoreUnit"] = "ops/s"
    [turned] = compared(tmp_path, [base], [head]).findings
    opposite = {"regression": "improvement", "improvement": "regression"}
    assert turned.verdict == opposite.get(verdict, verdict)


def test_iterations_of_one_fork_make_a_change_no_more_than_suspected(tmp_path: Path) -> None:
    one = [[40.0, 40.1, 40.2, 40.1]]
    [found] = compared(tmp_path, [times(1, one)], [times(1.5, one)]).findings
    assert (found.verdict, found.note) == ("suspected", ONE_FORK)


def test_what_is_not_compared_is_said_once(tmp_path: Path) -> None:
    removed, added = times(1, benchmark="a.Gone.run"), times(1, benchmark="a.New.run")
    without = times(1, [], benchmark="a.Without.raw")
    found = compared(tmp_path, [times(1), removed, without], [times(1), added, without])
    assert [finding.case for finding in found.findings] == [
        "org.example.ParseBench.parse, size=10, average time"
    ]
    assert found.left_out == [
        "not compared, only base has: a.Gone.run, size=10, average time",
        "not compared, only head has: a.New.run, size=10, average time",
        "not compared, without repetitions on both sides: a.Without.raw, size=10, average time",
    ]
    assert compared(tmp_path, samples.k6_export(), samples.k6_export(), "k6").findings == []


@pytest.mark.parametrize(("fail_on", "code"), [("never", 0), ("regression", 1), ("suspected", 1)])
def test_it_ends_as_other_comparisons_do(fail_on: str, code: int, tmp_path: Path, cli: Cli) -> None:
    files = [samples.written(tmp_path, [times(scale)], f"{scale}.json") for scale in (1, 1.3)]
    found, out, _ = cli("compare", "--from", "jmh", *files, "--fail-on", fail_on)
    assert found == code
    assert "🔴 regression" in out
    assert "springbench has checked neither that they were warm" in " ".join(out.split())
    found, out, _ = cli("compare", "--from", "jmh", *files, "--json")
    assert found == 0
    assert json.loads(out)["findings"][0]["verdict"] == "regression"


def test_one_file_is_nothing_to_compare(tmp_path: Path, cli: Cli) -> None:
    code, _, err = cli("compare", "--from", "jmh", samples.written(tmp_path, [times(1)]))
    assert code == 2
    assert "two files are compared: base.json head.json" in err
