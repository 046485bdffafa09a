"""`springbench publish --from`: files of other harnesses, as a person publishes them."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.harnesses import samples
from tests.history.histories import contents


@pytest.mark.process
def test_a_file_becomes_a_run_of_the_commit_that_is_checked_out(tmp_path: Path, cli: Cli) -> None:
    file = samples.written(
        tmp_path, {"results": [samples.hyperfine(), samples.hyperfine(command="x", exit_codes=[2])]}
    )
    history = tmp_path / "history"
    arguments = ("publish", "--from", "hyperfine", file, "--history", history)
    code, out, err = cli(*arguments)
    assert (code, out.split()[0]) == (0, "added")
    assert "x is left out: 1 of 1 runs failed (they ended with 2)" in err
    code, out, _ = cli(*arguments)
    assert (code, out.split()[0]) == (0, "replaced")
    [name] = [name for name in contents(history) if name.startswith("data/runs/")]
    run = json.loads(contents(history)[name])
    assert run["commit"]["sha"][:8] in name
    modified_at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
    assert run["started_at"] == modified_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert {case["reported"]["harness"] for case in run["cases"]} == {"hyperfine"}


@pytest.mark.process
def test_a_file_that_is_older_than_its_commit_is_refused(tmp_path: Path, cli: Cli) -> None:
    file = samples.written(tmp_path, [samples.jmh()])
    os.utime(file, (1_750_000_000, 1_750_000_000))
    code, _, err = cli("publish", "--from", "jmh", file, "--history", tmp_path / "history")
    assert code == 2
    assert "was before the commit that it measured was made" in err
    assert "check out the commit that was measured" in err
    assert not (tmp_path / "history").exists()


@pytest.mark.process
def test_a_file_of_another_harness_is_refused_and_nothing_is_written(
    tmp_path: Path, cli: Cli
) -> None:
    file = samples.written(tmp_path, [samples.jmh()])
    code, _, err = cli("publish", "--from", "k6", file, "--history", tmp_path / "history")
    assert (code, err.count("\n")) == (2, 1)
    assert "is no result of k6; it is of JMH: --from jmh" in err
    assert not (tmp_path / "history").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--suite", "a"), "--suite 'a': names files of another harness; add --from"),
        (("--from", "k6", "--suite", "<b>"), "--suite '<b>': allowed are up to 40 letters"),
        (("--from", "k6", "--shards", "2"), "--shards 2: of a run of springbench"),
        (("--from", "wrk"), "wrk"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    arguments: tuple[str, ...], words: str, tmp_path: Path, cli: Cli
) -> None:
    code, _, err = cli("publish", "x.json", "--history", tmp_path / "history", *arguments)
    assert code == 2
    assert words in err
