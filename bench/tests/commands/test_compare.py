"""`springbench compare` on stored runs, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.compare.execute import LiveComparison, compare_stored
from springbench.matrix.rows import Matrix
from springbench.results.run import Run
from springbench.results.store import RunFolder
from tests.conftest import Cli
from tests.samples import case, empty_run, fork, measured

HELLO = "boot4-tomcat-virtual-jvm/hello/64"


def store(results: Path, matrix: Matrix, run_id: str, rates: list[float], **fields: object) -> Path:
    """A run with a fork for each of these throughputs; `fields` are those of each load."""
    run: Run = empty_run()
    run.run.id = run_id
    forks = [fork(index, rate, **fields) for index, rate in enumerate(rates)]
    run.results = [measured(case(matrix, HELLO), *forks)]
    folder = RunFolder.create(results, run_id)
    folder.save(run)
    return folder.path


@pytest.fixture
def base(tmp_path: Path, matrix: Matrix) -> Path:
    return store(tmp_path, matrix, "base", [1000.0, 1010.0, 990.0, 1005.0])


def test_two_runs_and_the_exit_code_that_was_asked_for(
    tmp_path: Path, matrix: Matrix, base: Path, cli: Cli
) -> None:
    slower = store(tmp_path, matrix, "slower", [800.0, 805.0, 795.0, 802.0])
    code, out, _ = cli("compare", base, slower)
    assert code == 0
    assert "Head makes " in out
    assert "measured at different times" in out
    assert cli("compare", base, slower, "--fail-on", "regression")[0] == 1
    assert cli("compare", slower, base, "--fail-on", "regression")[0] == 0
    assert cli("compare", base, base, "--fail-on", "regression")[0] == 0


def test_a_run_that_was_compiling_is_evaluated_by_nobody(
    tmp_path: Path, matrix: Matrix, base: Path, cli: Cli
) -> None:
    rates = [500.0, 505.0, 495.0, 502.0]
    slow = store(tmp_path, matrix, "slow", rates, instability=["compiling"], steady=False)
    code, out, _ = cli("compare", base, slow, "--fail-on", "regression")
    assert code == 0
    assert "Nothing could be compared" in out


def test_json_and_nothing_else(tmp_path: Path, matrix: Matrix, base: Path, cli: Cli) -> None:
    other = store(tmp_path, matrix, "other", [1003.0, 1009.0, 991.0, 1001.0])
    code, out, _ = cli("compare", base, other, "--json")
    assert code == 0
    findings = {finding["metric"]: finding for finding in json.loads(out)["findings"]}
    assert {"throughput_rps", "cpu_per_request_s", "memory_idle_bytes", "startup_s"} <= set(
        findings
    )
    assert {finding["verdict"] for finding in findings.values()} == {"unchanged"}
    for finding in findings.values():
        assert finding["low_ratio"] <= finding["ratio"] <= finding["high_ratio"]


def test_single_forks_say_nothing_about_a_change(
    tmp_path: Path, matrix: Matrix, base: Path, cli: Cli
) -> None:
    one = store(tmp_path, matrix, "one", [500.0])
    code, out, _ = cli("compare", base, one, "--fail-on", "regression")
    assert code == 0
    assert "Nothing could be compared" in out


def test_other_host_classes_only_by_force(tmp_path: Path, base: Path, cli: Cli) -> None:
    file = base / "run.json"
    moved = tmp_path / "moved"
    moved.mkdir()
    text = file.read_text(encoding="utf-8").replace("some-cpu-2c", "other-cpu-64c")
    (moved / "run.json").write_text(text, encoding="utf-8")
    code, _, err = cli("compare", base, moved)
    assert code == 2
    assert "different host classes" in err
    assert "--force" in err
    code, out, _ = cli("compare", base, moved, "--force")
    assert code == 0
    assert "different host classes" in out


def test_sides_of_two_kinds_are_refused(base: Path, cli: Cli) -> None:
    code, _, err = cli("compare", base, "boot4-tomcat-virtual-jvm")
    assert code == 2
    assert "compare two runs, two variants, or commits and folders of jars" in err


def test_a_failed_pair_does_not_hide_a_regression(
    tmp_path: Path, matrix: Matrix, base: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    slower = store(tmp_path, matrix, "slower", [800.0, 805.0, 795.0, 802.0])
    found = compare_stored(base, slower, force=False)

    def compare_live(
        *_: object, explain: bool, load_host: str | None, recording: object
    ) -> LiveComparison:
        assert explain and load_host is None and recording is None
        return LiveComparison(found, tmp_path / "there", interrupted=False, failed=True)

    monkeypatch.setattr("springbench.commands.compare.compare_live", compare_live)
    variants = ("boot4-tomcat-virtual-jvm", "boot4-tomcat-platform-jvm")
    assert cli("compare", *variants, "--fail-on", "regression")[0] == 1
    assert cli("compare", *variants)[0] == 4
