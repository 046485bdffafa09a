"""The cost of a run, from a stored one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.overhead import cost, main
from springbench.matrix.rows import Matrix
from springbench.results.store import RunFolder
from tests.samples import case, empty_run, failed_fork, fork, measured


def test_every_second_of_a_run_is_accounted_for(
    tmp_path: Path, matrix: Matrix, capsys: pytest.CaptureFixture[str]
) -> None:
    run = empty_run()
    run.run.measured_s = 60.0
    a_case = case(matrix, "boot4-tomcat-virtual-jvm/hello/64")
    run.results = [measured(a_case, fork(0, 990.0), failed_fork(1, "boom"))]
    folder = RunFolder.create(tmp_path, "one")
    folder.save(run)
    raw = folder.raw / a_case.id / "fork-0"
    raw.mkdir(parents=True)
    for name, end_s in [("warm-up", 12.5), ("load", 11.0)]:
        text = json.dumps({"at_s": [0.0, end_s]})
        (raw / f"{name}.json").write_text(text, encoding="utf-8")

    found = cost(folder.path)

    assert (found.startup_s, found.warmup_s, found.window_s) == (2.31, 12.0, 8.0)
    assert found.edges_s == pytest.approx(3.5)
    assert found.rest_s == pytest.approx(60.0 - 2.31 - 12.0 - 8.0 - 3.5)
    assert main([str(tmp_path / "latest")]) == 0
    assert "2.689 (wanted: at most 1.10)" in capsys.readouterr().out
    assert main([]) == 2


def test_a_run_that_measured_nothing_has_no_ratio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    RunFolder.create(tmp_path, "one").save(empty_run())
    assert main([str(tmp_path / "latest")]) == 0
    assert capsys.readouterr().out.endswith("nothing was measured\n")
