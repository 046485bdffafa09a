"""A file that anybody may have written is a comparison, or one clear line."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.results.comparison import COMPARISON_FILE, Comparison
from springbench.results.untrusted import COMPARISON, find_comparisons, load_comparison
from tests.comparisons import REGRESSION, UNCHANGED, comparison


def document() -> dict[str, Any]:
    text = comparison(REGRESSION, UNCHANGED).model_dump_json(by_alias=True)
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def stored(folder: Path, data: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / COMPARISON_FILE
    file.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return file


def refused(file: Path) -> str:
    with pytest.raises(ConfigurationError) as error:
        load_comparison(file)
    message = str(error.value)
    assert message.isprintable()
    assert len(message) < 900
    assert "##[" not in message
    return message


def test_what_compare_writes_is_read_back(tmp_path: Path) -> None:
    file = stored(tmp_path, document())
    assert load_comparison(file) == comparison(REGRESSION, UNCHANGED)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema 2; this springbench reads comparisons of schema 1"),
        ({"schema": True}, "schema True"),
        ({"schema": 1.0}, "schema 1.0"),
        ({"schema": None}, "schema None"),
        ({"schema": ["##[error]x\n" * 99]}, "schema ["),
        ({"pull_request": 99}, "pull_request: Extra inputs are not permitted"),
        ({"##[stop]\n::error::x" * 50: 1}, "Extra inputs are not permitted"),
        ({"findings": [{"case": 1}]}, "findings.0.case: Input should be a valid string"),
        ({"findings": "none"}, "findings: Input should be a valid array"),
        ({"base": {"kind": "else", "label": "x"}}, "base.kind: Input should be"),
    ],
)
def test_what_is_no_comparison_is_one_line(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    assert message in refused(stored(tmp_path, {**document(), **change}))


def test_numbers_are_numbers(tmp_path: Path) -> None:
    data = document()
    data["findings"][0]["ratio"] = "0.5"
    assert "findings.0.ratio: Input should be a valid number" in refused(stored(tmp_path, data))
    data["findings"][0]["ratio"] = float("nan")
    assert "not valid JSON" in refused(stored(tmp_path, data))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "1", "[" * 100_000, '"\ud800"'])
def test_other_texts_are_one_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / COMPARISON_FILE
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    refused(file)


@given(st.binary(max_size=200))
def test_no_bytes_end_in_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / COMPARISON_FILE
    file.write_bytes(data)
    refused(file)


def test_a_file_that_is_too_long_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / COMPARISON_FILE
    with file.open("wb") as stream:
        stream.truncate(50 << 30)
    began_s = time.monotonic()
    assert f"longer than {COMPARISON.limit_bytes >> 20} MiB" in refused(file)
    assert time.monotonic() - began_s < 2


def test_a_link_and_a_pipe_are_not_opened(tmp_path: Path) -> None:
    true_file = stored(tmp_path / "elsewhere", document())
    link = tmp_path / COMPARISON_FILE
    link.symlink_to(true_file)
    assert "not a regular file" in refused(link)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "not a regular file" in refused(pipe)
    assert "there is no such comparison" in refused(tmp_path / "nothing")


def test_the_files_of_a_folder_of_shards(tmp_path: Path) -> None:
    for name in ("report-2", "report-1"):
        stored(tmp_path / name / "20261121T093000Z-compare-pr", document())
    (tmp_path / "report-3" / "raw").mkdir(parents=True)
    (tmp_path / "report-4").mkdir()
    outside = stored(tmp_path.parent / f"{tmp_path.name}-outside", document())
    (tmp_path / "report-4" / "link").symlink_to(outside.parent)
    files, without = find_comparisons(tmp_path)
    assert [file.parent.parent.name for file in files] == ["report-1", "report-2"]
    assert without == {"report-3": None, "report-4": None}


def test_one_file_and_one_folder(tmp_path: Path) -> None:
    file = stored(tmp_path, document())
    (tmp_path / "raw").mkdir()
    assert find_comparisons(file) == find_comparisons(tmp_path) == ([file], {})


def test_a_shard_with_too_many_takes_no_other_with_it(tmp_path: Path) -> None:
    for index in range(101):
        stored(tmp_path / "crowd" / str(index), "{}")
    file = stored(tmp_path / "sound", document())
    crowd = "holds 101 comparisons; at most 100 of a shard are read"
    assert find_comparisons(tmp_path) == ([file], {"crowd": crowd})


def test_a_shard_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = stored(tmp_path.parent / f"{tmp_path.name}-outside", document())
    (tmp_path / "shard").symlink_to(outside.parent)
    assert find_comparisons(tmp_path) == ([], {"shard": None})


def test_the_schema_knows_no_number_of_a_pull_request() -> None:
    assert not any(re.search("pull|issue", name) for name in Comparison.model_fields)
