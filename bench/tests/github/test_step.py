"""What a step of GitHub Actions hands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.github.step import OUTPUT, SUMMARY, summarise, write_outputs
from tests.conftest import Cli


def test_outputs_are_added_to_the_steps_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "output"
    file.write_text("before=1\n", encoding="utf-8")
    monkeypatch.setenv(OUTPUT, str(file))
    write_outputs({"builds": '{"include": []}'})
    assert file.read_text(encoding="utf-8") == 'before=1\nbuilds={"include": []}\n'


def test_an_output_and_a_summary_are_of_plain_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (OUTPUT, SUMMARY):
        monkeypatch.setenv(name, str(tmp_path / name))
    write_outputs({"chart": "a\nrunner=evil\r\u2028x"})
    assert (tmp_path / OUTPUT).read_text(encoding="utf-8") == "chart=a runner=evil  x\n"
    summarise("one\ntwo \x1b[31m\u202e##[error]")
    text = (tmp_path / SUMMARY).read_text(encoding="utf-8")
    assert text == "**springbench**\n\n    one\n    two  [31m # [error]\n\n"


def test_outside_of_github_nothing_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OUTPUT, raising=False)
    write_outputs({"builds": "{}"})
    summarise("no file to write to")


def test_a_mistake_stands_in_the_summary_as_plain_text(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "summary"
    monkeypatch.setenv(SUMMARY, str(file))
    code, _, err = cli("plan", "--profile", "<img src=x>")
    assert code == 2
    line = err.removeprefix("springbench: ").strip()
    assert "<img src=x>" in line
    assert file.read_text(encoding="utf-8") == f"**springbench**\n\n    {line}\n\n"
