"""`springbench publish` of three shards of which one is broken: two are published, it is named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from springbench.matrix.rows import Matrix
from tests.broken import HOSTILE
from tests.conftest import Cli
from tests.history.histories import contents, raw_run, stored_run

pytestmark = pytest.mark.process

Spoil = Callable[[Path], None]


def text(content: bytes) -> Spoil:
    return lambda file: _replace(file, lambda: file.write_bytes(content))


def field(*path: str | int, value: Any) -> Spoil:
    """Another value in one place."""

    def spoil(file: Path) -> None:
        data = parent = json.loads(file.read_bytes())
        for key in path[:-1]:
            parent = parent[key]
        parent[path[-1]] = value
        file.write_text(json.dumps(data), encoding="utf-8")

    return spoil


def number(digits: str) -> Spoil:
    """Digits that no writer of JSON would write."""

    def spoil(file: Path) -> None:
        content = file.read_text(encoding="utf-8")
        file.write_text(content.replace('"measured_s": 0.0', f'"measured_s": {digits}'), "utf-8")

    return spoil


def _replace(file: Path, make: Callable[[], object]) -> None:
    file.unlink()
    make()


SPOILED: dict[str, Spoil] = {
    "nothing in it": text(b""),
    "cut short": lambda file: os.truncate(file, 900),
    "no text": text(b"\xff\xfe\0"),
    "nested": text(b"[" * 100_000),
    "5,000 digits": number("9" * 5_000),
    "4,000 digits": number("9" * 4_000),
    "not a number": number("NaN"),
    "infinite": number("1e999"),
    "half a character": field("commit", "message", value="\ud800"),
    "half a character in a name": field("results", 0, "server", value="\ud800"),
    "a pipe": lambda file: _replace(file, lambda: os.mkfifo(file)),
    "a folder": lambda file: _replace(file, file.mkdir),
    "a link": lambda file: _replace(file, lambda: file.symlink_to("/etc/passwd")),
    "a device": lambda file: _replace(file, lambda: file.symlink_to("/dev/zero")),
    "not there": Path.unlink,
    "too long": lambda file: os.truncate(file, 50 << 30),
    "a host class that leads out": field("host", "class", value="../../x"),
    "an empty host class": field("host", "class", value=""),
    "a long host class": field("host", "class", value="x" * 10_000),
    "a hostile host class": field("host", "class", value=HOSTILE[:-1]),
    "a case that leads out": field("results", 0, "case", value="../../x/1"),
    "a hostile case": field("results", 0, "case", value=HOSTILE[:-1]),
    "a hostile id": field("run", "id", value=HOSTILE[:-1]),
    "a hostile profile": field("run", "profile", value=HOSTILE[:-1]),
    "a hostile commit": field("commit", "sha", value="../../" + HOSTILE[:-1]),
    "a hostile key": field(HOSTILE[:-1], value=1),
    "a hostile time": field("run", "started_at", value=HOSTILE[:-1]),
    "a hostile end": field("run", "finished_at", value=HOSTILE[:-1]),
    "no time of its commit": field("commit", "time", value="yesterday"),
    "another schema": field("schema", value=[HOSTILE[:-1]]),
}


@pytest.mark.parametrize("damage", SPOILED)
def test_two_shards_are_published_and_the_third_is_named(
    tmp_path: Path, matrix: Matrix, cli: Cli, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    folders = []
    for index in range(3):
        run = raw_run(matrix, 7)
        run.run.id, run.results = f"shard-{index}", run.results[index : index + 1]
        folders.append(stored_run(tmp_path / "results", run))
    SPOILED[damage](folders[2] / "run.json")
    history = tmp_path / "history"
    words = ("--history", history, "--id", "together", "--shards", 3)

    code, out, err = cli("publish", *folders, *words)

    assert (code, out.split()[:2]) == (0, ["added", "together"])
    first, second = err.splitlines()
    assert first.startswith("shard-2 is left out: ")
    assert len(first) < 700
    assert second == "2 of 3 shards are published"
    assert (first + second).isprintable()
    assert first in (tmp_path / "summary.md").read_text(encoding="utf-8")
    record = json.loads(contents(history)["data/runs/together.json.gz"])
    assert (record["marks"], len(record["cases"])) == (["unfinished"], 2)
    # nothing of it became a path
    assert {path.name for path in tmp_path.iterdir()} == {"results", "history", "summary.md"}
    assert len(list((history / "data/series").iterdir())) == 1

    code, _, err = cli("publish", folders[2], *words)
    assert (code, err.count("\n")) == (2, 1)
    assert err[:-1].isprintable()


def test_a_shard_whose_name_is_a_command_is_named_without_one(
    tmp_path: Path, matrix: Matrix, cli: Cli
) -> None:
    sound = stored_run(tmp_path / "results", raw_run(matrix, 7))
    hostile = tmp_path / "::set-output name=a::b\n\x1b[31m##[error]\u202e"
    hostile.mkdir()
    code, _, err = cli("publish", hostile, sound, "--history", tmp_path / "history")
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith(": :set-output name=a::b [31m# [error]  is left out: ")
    assert err[:-1].isprintable()
    code, _, err = cli("publish", hostile, "--history", tmp_path / "history")
    assert code == 2
    assert err[:-1].isprintable()
    assert "##[" not in err
