"""Results of other harnesses in a history: series of their own, named, searched, never ranked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from springbench.errors import ConfigurationError
from springbench.github.issues import to_open
from springbench.harnesses import hyperfine, jmh
from springbench.harnesses.readers import BY_HARNESS
from springbench.history.base import HistoryLookup, find_base
from springbench.history.condense import Publication
from springbench.history.files import Folder
from springbench.history.reading import read_index
from springbench.history.reported import Origin, condense_reported
from springbench.history.update import add
from springbench.host.facts.facts import HostFacts
from springbench.matrix.rows import Matrix
from springbench.report import event_issue
from springbench.results.history import Index
from springbench.results.published_run import PublishedRun
from springbench.results.run import CommitInfo
from tests.harnesses import samples
from tests.history.histories import contents, published, rebuilt

# every commit is in the past of every other one
LOOKUP = HistoryLookup(lambda prefix: prefix.ljust(40, "0"), lambda older, newer: True)
HOST = HostFacts(
    os="Debian 12",
    cpu_model="AMD EPYC 7763",
    cores=2,
    physical_cores=2,
    memory_bytes=8 << 30,
    kernel="6.1.0",
    cpu_quota=None,
    governor=None,
    smt=None,
    turbo=None,
    virtualisation="kvm",
)


def origin(number: int = 0) -> Origin:
    at = f"2026-02-{1 + number:02d}T10:00:00Z"
    commit = CommitInfo(
        sha=f"{number + 1:08x}".ljust(40, "0"),
        message=f"change {number}",
        author="Ann",
        time=at,
        branch="main",
        dirty=False,
    )
    return Origin(HOST, commit, at, "push")


def jmh_run(*benchmarks: dict[str, Any], number: int = 0, suite: str | None = None) -> PublishedRun:
    results = jmh.read(list(benchmarks) or [samples.jmh()])
    return condense_reported(BY_HARNESS["jmh"], [results], origin(number), None, suite)


def test_a_run_says_who_has_measured_what_and_what_is_not_known_of_it() -> None:
    run = jmh_run()
    [case], [shard] = run.cases, run.shards
    assert (run.profile, run.trigger, run.rankings) == ("jmh", "push", [])
    assert re.fullmatch(r"jmh-ParseBench\.parse/average-time-10-[0-9a-f]{8}/2", case.case)
    assert case.reported
    assert case.reported.model_dump() == {
        "harness": "JMH",
        "benchmark": "org.example.ParseBench.parse",
        "parameters": {"size": "10"},
        "figure": "average time",
        "unit": "us/op",
    }
    assert case.configuration == "avgt-2x3-10s-w4"
    assert case.notes == [
        "Measured by JMH 1.37: springbench has checked neither that it was warm nor that the host "
        "was quiet."
    ]
    assert (shard.tools.harness, shard.tools.wrk) == ("JMH 1.37", "")
    assert shard.host.host_class.startswith("amd-epyc-7763-2c-8g-linux6-")
    assert "jdk" not in shard.host.host_class


def test_an_interval_is_that_of_repetitions_and_none_of_a_single_value() -> None:
    run = jmh_run()
    columns = run.metrics["reported_time_s"]
    assert columns.median == [4e-05]
    # two forks, 39 and 41: t of one degree of freedom is 12.7
    assert columns.low == [pytest.approx(40e-6 - 12.706e-6, rel=1e-3)]
    assert columns.high == [pytest.approx(40e-6 + 12.706e-6, rel=1e-3)]
    single_run = jmh_run(samples.jmh(metric={"rawData": []}))
    assert (
        single_run.metrics["reported_time_s"].low
        == single_run.metrics["reported_time_s"].high
        == [4e-05]
    )
    assert single_run.cases[0].n == 1


def test_the_same_results_of_a_commit_are_the_same_run_and_others_are_not() -> None:
    assert jmh_run().id == jmh_run().id
    assert jmh_run().id != jmh_run(number=1).id
    assert jmh_run().id != jmh_run(samples.jmh(metric={"score": 41.0})).id
    run = condense_reported(
        BY_HARNESS["jmh"], [jmh.read([samples.jmh()])], origin(), Publication(id="mine")
    )
    assert run.id == "mine"


def test_a_benchmark_that_stands_twice_is_refused_and_a_suite_tells_files_apart() -> None:
    with pytest.raises(ConfigurationError, match=r"parse, size=10: stands twice .* --suite"):
        jmh_run(samples.jmh(), samples.jmh())
    assert len(jmh_run(samples.jmh(), samples.jmh(params={"size": "20"})).cases) == 2
    one, other = (jmh_run(suite=name).cases[0] for name in ("a", "b"))
    assert one.case != other.case
    assert one.reported
    assert one.reported.benchmark == "a: org.example.ParseBench.parse"


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "../../../etc/passwd",
        "a\nb\x1b[31m\u202ec",
        "x" * 100_000,
        "…",
        "::error::x ##[command]",
        "\ud800",
    ],
)
def test_a_hostile_name_becomes_a_plain_id_and_one_line(name: str, tmp_path: Path) -> None:
    command = samples.hyperfine(command=name, parameters={name: name})
    results = hyperfine.read({"results": [command]})
    run = condense_reported(BY_HARNESS["hyperfine"], [results], origin())
    add(Folder(tmp_path), run)
    [first, *_] = run.cases
    assert len(first.case) < 200
    assert first.reported
    for text in (first.reported.benchmark, *first.reported.parameters):
        assert text.isprintable()
        assert len(text) <= 200
    assert rebuilt(tmp_path, tmp_path / "again").keys() == contents(tmp_path).keys()


@pytest.fixture
def slowed(tmp_path: Path) -> Index:
    """A history of a benchmark that takes a third longer from the ninth commit on."""
    files = Folder(tmp_path)
    for number in range(14):
        slower = 1.3 if number >= 8 else 1.0
        noise = 1 + 0.004 * (number * 7 % 5 - 2)
        forks = [[40 * slower * noise * factor for factor in (0.99, 1.0, 1.01)]] * 2
        metric = {"score": 40 * slower * noise, "rawData": forks}
        add(files, jmh_run(samples.jmh(metric=metric), number=number))
    index = read_index(files)
    assert index
    return index


def test_a_step_is_suspected_and_reported_without_a_comparison(
    slowed: Index,
) -> None:
    [event] = slowed.events
    assert (event.direction, event.state, event.harness) == ("regression", "suspected", "JMH")
    assert event.culprit.after.message == "change 8"
    assert event.id == f"regression-{event.culprit.after.sha}-of-by-jmh"
    assert event.shared == "JMH: org.example.ParseBench.parse, size=10: average time in us/op"
    assert to_open([event], {}) == [event]
    body = event_issue.body(event, [event], event_issue.Places(None))
    assert "no comparison of springbench can confirm it" in body
    assert "measure both commits again with JMH" in body
    assert "springbench compare" not in body
    assert event_issue.title(event).startswith("Regression: JMH: org.example.ParseBench.parse")


def test_what_is_measured_again_is_a_matter_of_springbench_s_own_runs(
    slowed: Index, matrix: Matrix, tmp_path: Path
) -> None:
    found = find_base(slowed, "f" * 40, LOOKUP, None)
    assert found.sha is None
    files, run = Folder(tmp_path / "both"), published(matrix, 3)
    add(files, run)
    add(files, jmh_run(number=2))
    assert run.commit
    assert find_base(read_index(files), "f" * 40, LOOKUP, "").sha == run.commit.sha


def test_badges_are_of_throughputs_of_servers(tmp_path: Path) -> None:
    add(Folder(tmp_path), jmh_run())
    names = [name for name in contents(tmp_path) if "/badges/" in name]
    assert names == ["data/badges/regressions-by-jmh.svg", "data/badges/regressions.svg"]


def test_a_series_holds_one_metric_and_a_rebuild_finds_the_same(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    add(files, jmh_run(samples.jmh(), samples.jmh(mode="thrpt", metric={"scoreUnit": "ops/s"})))
    stored = contents(tmp_path)
    assert rebuilt(tmp_path, tmp_path / "again") == stored
    series = [json.loads(text) for name, text in stored.items() if "@" in name]
    assert sorted(list(row["metrics"]) for row in series) == [
        ["reported_rate_rps"],
        ["reported_time_s"],
    ]
