"""Run folders: nothing measured is lost, and what cannot be read says why."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from springbench.errors import ConfigurationError, HostError
from springbench.matrix.rows import Matrix
from springbench.results.run import Run
from springbench.results.store import RunFolder, full_disk_reported, load_run, write_atomically
from tests.conftest import Cli
from tests.samples import empty_run, full_run


def test_a_run_comes_back_as_it_was_saved(tmp_path: Path, matrix: Matrix) -> None:
    run = full_run(matrix)
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(run)
    assert load_run(folder.path) == run
    assert load_run(folder.file) == run
    assert load_run(tmp_path / "results" / "latest") == run
    assert sorted(entry.name for entry in folder.path.iterdir()) == ["raw", "run.json"]


def test_latest_points_to_the_newest(tmp_path: Path) -> None:
    for name in ("one", "two"):
        RunFolder.create(tmp_path, name)
    assert os.readlink(tmp_path / "latest") == "two"  # noqa: PTH115  # the link, not its target


def test_saving_again_replaces(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path, "one")
    run = empty_run()
    folder.save(run)
    run.run.measured_s = 7.0
    folder.save(run)
    assert load_run(folder.path).run.measured_s == 7.0


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_fails_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: BaseException
) -> None:
    file = tmp_path / "run.json"
    write_atomically(file, "old")

    def fail(*_: object) -> None:
        raise error

    owner: object = os if call == "fsync" else Path
    monkeypatch.setattr(owner, call, fail)
    with pytest.raises(type(error)):
        write_atomically(file, "new")
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_full_disk_is_reported_in_one_line_and_other_errors_are_not(tmp_path: Path) -> None:
    with (
        pytest.raises(HostError, match=rf"^{tmp_path}: No space left on device; .* --resume "),
        full_disk_reported(tmp_path),
    ):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(FileNotFoundError), full_disk_reported(tmp_path):
        (tmp_path / "none").read_bytes()


def test_others_may_read_what_was_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / "run.json", "text")
    assert (tmp_path / "run.json").stat().st_mode & 0o777 == 0o644


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match=r"cannot be made: .*; --results names another"):
        RunFolder.create(tmp_path / "file", "one")
    RunFolder.create(tmp_path, "one")
    with pytest.raises(ConfigurationError, match="one: cannot be made: File exists"):
        RunFolder.create(tmp_path, "one")


def _without(*path: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        *outer, last = path
        for key in outer:
            data = data[key]
        del data[last]

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.update(schema=2), "schema 2; this springbench reads runs of schema 1"),
        (
            lambda data: data.update(schema="1"),
            "schema '1'; this springbench reads runs of schema 1",
        ),
        (_without("schema"), "schema None; this springbench reads runs of schema 1"),
        (_without("run", "id"), "run.id: Field required"),
        (lambda data: data["host"].update(cores="many"), "host.cores: "),
        (lambda data: data.update(more=1), "more: Extra inputs are not permitted"),
        (lambda data: data["results"][0].update(status="fine"), "results.0.status: "),
    ],
)
def test_a_file_with_something_wrong_in_it_says_where(
    tmp_path: Path, matrix: Matrix, cli: Cli, change: Callable[[dict[str, Any]], None], message: str
) -> None:
    data = json.loads(full_run(matrix).model_dump_json(by_alias=True))
    change(data)
    file = tmp_path / "run.json"
    file.write_text(json.dumps(data), encoding="utf-8")

    code, out, err = cli("report", file)

    assert (code, out) == (2, "")
    assert err.startswith(f"springbench: {file}: {message}")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": not valid JSON (EOF while parsing a value at line 1"),
        (b'{"schema": 1,\n"run": {"id"', ": not valid JSON (EOF while parsing an object at line 2"),
        (b"\xff\xfe", ": not valid JSON"),
        (b"[]", ": schema None"),
        (b"null", ": schema None"),
    ],
)
def test_a_file_that_is_no_run_says_so(
    tmp_path: Path, cli: Cli, content: bytes, message: str
) -> None:
    file = tmp_path / "run.json"
    file.write_bytes(content)
    code, out, err = cli("report", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"springbench: {file}{message}")
    assert len(err.splitlines()) == 1


def test_a_run_cut_off_anywhere_is_refused(tmp_path: Path, matrix: Matrix) -> None:
    text = full_run(matrix).model_dump_json(by_alias=True)
    file = tmp_path / "run.json"
    for end in range(0, len(text), 997):
        file.write_text(text[:end], encoding="utf-8")
        with pytest.raises(ConfigurationError, match="cut short"):
            load_run(file)


def test_a_run_that_is_not_there_says_how_to_make_one(tmp_path: Path, cli: Cli) -> None:
    code, _, err = cli("report", tmp_path / "none")
    assert code == 2
    assert err == (
        f"springbench: {tmp_path}/none: there is no such run; `springbench run` makes one, "
        "results/latest is the newest\n"
    )


def test_the_result_of_a_case_is_found(matrix: Matrix) -> None:
    run: Run = full_run(matrix)
    found = run.find("boot4-jetty-virtual-jvm/pay/1000")
    assert found is not None
    assert found.server == "jetty"
    assert run.find("nothing") is None
