"""A page is shown where somebody sits, and nowhere else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from springbench.host.screen import has_screen, show

_ALL = ("CI", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY")


def _environment(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str], *, terminal: bool = True
) -> None:
    for name in _ALL:
        monkeypatch.delenv(name, raising=False)
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)


@pytest.mark.parametrize("screen", ["DISPLAY", "WAYLAND_DISPLAY"])
def test_a_terminal_beside_a_screen_has_one(monkeypatch: pytest.MonkeyPatch, screen: str) -> None:
    _environment(monkeypatch, {screen: ":0"})
    assert has_screen()


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"DISPLAY": ""},
        {"DISPLAY": ":0", "CI": "true"},
        {"DISPLAY": ":0", "SSH_CONNECTION": "192.0.2.1 5 192.0.2.2 22"},
    ],
)
def test_nobody_looks_at_a_job_or_at_a_host_far_away(
    monkeypatch: pytest.MonkeyPatch, values: dict[str, str]
) -> None:
    _environment(monkeypatch, values)
    assert not has_screen()
    assert not show(Path(__file__))


def test_output_that_goes_to_a_file_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _environment(monkeypatch, {"DISPLAY": ":0"}, terminal=False)
    assert not has_screen()


@pytest.mark.process
def test_the_reader_s_browser_is_given_the_address_of_the_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" >"{opened}"\n', encoding="utf-8")
    browser.chmod(0o755)
    _environment(monkeypatch, {"DISPLAY": ":0", "BROWSER": f"{browser} %s"})
    page = tmp_path / "a page.html"
    page.touch()
    # the module reads BROWSER once, when it is asked for the first time
    monkeypatch.setattr("webbrowser._tryorder", None)
    monkeypatch.setattr("webbrowser._browsers", {})
    assert show(page)
    assert opened.read_text(encoding="utf-8") == page.as_uri()
    assert os.environ["BROWSER"]
