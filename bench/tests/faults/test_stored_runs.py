"""A stored run that cannot be read or gone on with: one clear line, and the file as it was."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from springbench.results.store import load_run
from tests.conftest import Cli, left_behind
from tests.processes import QUICK, faulty, on_fakes, running

pytestmark = pytest.mark.system

FINE = faulty("fine", 9)
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of one case."""
    options = (*on_fakes(FINE), "--profile", "faults")
    with running(tmp_path_factory.mktemp("stored"), *options, patch=QUICK) as springbench:
        code, _, err = springbench.end()
    assert (code, err) == (0, "")
    return (springbench.results / "latest").resolve()


@pytest.fixture
def stored(finished: Path, tmp_path: Path) -> Path:
    """A `run.json` of its own for each test."""
    folder = tmp_path / "results" / finished.name
    shutil.copytree(finished, folder)
    return folder / "run.json"


@pytest.mark.parametrize("command", ["report", "resume"])
@pytest.mark.parametrize(
    ("end", "version", "message"),
    [
        (0.0, 1, ": not valid JSON"),
        (0.5, 1, "it was cut short or changed"),
        (0.99, 1, "it was cut short or changed"),
        (1.0, 2, ": schema 2; this springbench reads runs of schema 1"),
    ],
)
def test_one_that_is_cut_short_or_newer(
    stored: Path, cli: Cli, command: str, end: float, version: int, message: str
) -> None:
    text = stored.read_text(encoding="utf-8").replace('"schema": 1', f'"schema": {version}', 1)
    stored.write_text(text[: int(len(text) * end)], encoding="utf-8")
    before = _state(stored)

    if command == "report":
        code, out, err = cli("report", stored.parent)
    else:
        code, out, err = cli("run", *on_fakes(), "--resume", stored.parent)

    assert (code, out) == (2, "")
    assert err.startswith(f"springbench: {stored}:")
    assert message in err
    assert len(err.splitlines()) == 1
    assert _state(stored) == before


def _other_plan(run: dict[str, Any]) -> None:
    run["run"]["plan_digest"] = "0123456789abcdef"


def _other_host(run: dict[str, Any]) -> None:
    run["host"] |= {"fingerprint": "00112233", "class": "another-cpu"}


def _other_commit(run: dict[str, Any]) -> None:
    run["commit"] = {
        "sha": "1a2b3c4d5e6f",
        "message": "Raise a default",
        "author": "Somebody",
        "time": "2026-11-21T09:00:00+00:00",
        "branch": "main",
        "dirty": False,
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_other_plan, "matrix.toml selects other cases than when {id} began; start a new run"),
        (_other_host, "{id} was measured on another host or with other tools (another-cpu, now "),
        (_other_commit, "{id} measured commit 1a2b3c4d5e6f, which is not checked out now; "),
    ],
    ids=["plan", "host", "commit"],
)
def test_one_of_another_plan_host_or_commit(
    tmp_path: Path, stored: Path, change: Change, message: str
) -> None:
    run = json.loads(stored.read_text(encoding="utf-8"))
    change(run)
    stored.write_text(json.dumps(run), encoding="utf-8")
    before = _state(stored)

    with running(tmp_path, *on_fakes(), "--resume", stored.parent) as springbench:
        code, out, err = springbench.end()

    assert (code, out) == (2, "")
    assert err.startswith(f"springbench: --resume: {message.format(id=run['run']['id'])}")
    assert len(err.splitlines()) == 1
    assert _state(stored) == before
    assert [path.name for path in stored.parent.parent.iterdir()] == [stored.parent.name]


def test_one_that_is_finished_is_measured_no_more(tmp_path: Path, stored: Path) -> None:
    before = load_run(stored).results
    with running(tmp_path, *on_fakes(), "--resume", stored) as springbench:
        code, out, err = springbench.end()
    assert (code, err) == (0, "")
    assert load_run(stored).results == before
    assert FINE.split("/", maxsplit=1)[0] in out
    assert left_behind() == []


def _state(file: Path) -> tuple[bytes, int]:
    return file.read_bytes(), file.stat().st_mtime_ns
