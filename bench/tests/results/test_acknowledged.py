"""`acknowledged.toml`: a mistake costs its own row, and names its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.results.acknowledged import Acknowledged, load_acknowledged
from springbench.results.events import Acknowledgement

SOUND = '[[events]]\nid = "regression-000000000005"\nreason = " TLS by default "\nby = "team"\n'
EVENTS = {"regression-000000000005": Acknowledgement(reason="TLS by default", by="team")}


def loaded(folder: Path, text: str) -> Acknowledged:
    file = folder / "acknowledged.toml"
    file.write_text(text, encoding="utf-8")
    return load_acknowledged(file)


def test_rows_are_read_with_their_reasons(tmp_path: Path) -> None:
    assert loaded(tmp_path, SOUND) == Acknowledged(EVENTS, [])


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "events = []\n"])
def test_an_empty_file_acknowledges_nothing(tmp_path: Path, text: str) -> None:
    assert loaded(tmp_path, text) == Acknowledged({}, [])


def test_no_file_acknowledges_nothing(tmp_path: Path) -> None:
    assert load_acknowledged(tmp_path / "acknowledged.toml") == Acknowledged({})


@pytest.mark.parametrize(
    ("row", "line", "words"),
    [
        ('id = "improvement-7"', 5, "reason: this key is missing"),
        ('reason = "x"', 5, "id: this key is missing"),
        ('id = "improvement-7"\nreason = ""', 7, "reason: must not be empty"),
        ('id = "improvement-7"\nreason = "  "', 7, "reason: must not be empty"),
        ('id = "improvement-7"\nreason = 3', 7, "allowed: a text in quotes; found 3"),
        ('id = "faster"\nreason = "x"', 6, "an event's id"),
        ('id = "regression-5/../x"\nreason = "x"', 6, "an event's id"),
        ('id = "improvement-7"\nreason = "x"\nwho = "me"', 8, "allowed here: id, reason, by"),
        (f'id = "improvement-7"\nreason = "{"x" * 501}"', 7, "at most 500 characters"),
        ('id = "regression-000000000005"\nreason = "x"', 6, "stands here twice"),
    ],
)
def test_a_mistake_names_its_line_and_costs_no_other_row(
    tmp_path: Path, row: str, line: int, words: str
) -> None:
    found = loaded(tmp_path, f"{SOUND}[[events]]\n{row}\n")
    assert found.events == EVENTS
    [mistake] = found.mistakes
    assert f"acknowledged.toml:{line}: events[1]" in mistake
    assert words in mistake


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[events]\n", "acknowledged.toml:1: not valid TOML"),
        ("events = 3\n", "each under a line [[events]]"),
        ('[events]\nid = "regression-5"\n', "each under a line [[events]]"),
    ],
)
def test_what_cannot_be_read_as_rows_says_nothing_of_any(
    tmp_path: Path, text: str, words: str
) -> None:
    found = loaded(tmp_path, text)
    assert found.events is None
    assert words in found.mistakes[0]


def test_another_table_is_named_and_the_rows_hold(tmp_path: Path) -> None:
    found = loaded(tmp_path, f"{SOUND}[[event]]\nid = 'regression-7'\n")
    assert found.events == EVENTS
    assert "event: unknown key; allowed here: events" in found.mistakes[0]


def test_a_file_that_is_no_text_is_said(tmp_path: Path) -> None:
    file = tmp_path / "acknowledged.toml"
    file.write_bytes(b"\xff\xfe")
    assert "it is not UTF-8 text" in load_acknowledged(file).mistakes[0]


@given(text=st.text(max_size=60))
def test_any_text_is_rows_or_mistakes(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    found = loaded(tmp_path_factory.mktemp("any"), text)
    assert found.events == {} or found.mistakes
