"""Badges: well-formed pictures that say what they show, whatever the words."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from springbench.report.badge import MOST_LETTERS, render

SVG = "{http://www.w3.org/2000/svg}"
TEXT = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Cn"]))


def _parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314 - our own


def test_a_badge_says_its_words_to_those_who_cannot_see_it() -> None:
    picture = _parsed(render("regressions", "2 open", "bad"))
    assert picture.get("aria-label") == "regressions: 2 open"
    assert picture.findtext(f"{SVG}title") == "regressions: 2 open"
    assert [element.text for element in picture.iter(f"{SVG}text")] == ["regressions", "2 open"]


def test_good_and_bad_look_unlike() -> None:
    good, bad = render("a", "b", "good"), render("a", "b", "bad")
    assert good != bad


@given(TEXT, TEXT)
def test_words_of_others_stay_words(label: str, value: str) -> None:
    picture = _parsed(render(label, value, "plain"))
    assert {element.tag for element in picture.iter()} == {
        f"{SVG}{name}" for name in ("svg", "title", "clipPath", "rect", "g", "text")
    }
    for shown in picture.iter(f"{SVG}text"):
        assert len(shown.text or "") <= MOST_LETTERS


@given(st.integers(1, 80), st.integers(1, 80))
def test_each_word_has_its_room(one: int, other: int) -> None:
    picture = _parsed(render("m" * one, "w" * other, "plain"))
    width = float(picture.get("width") or 0)
    for shown in picture.iter(f"{SVG}text"):
        half = float(shown.get("textLength") or 0) / 2
        assert half > 0
        assert half <= float(shown.get("x") or 0) <= width - half
