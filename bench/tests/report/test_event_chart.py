"""The picture of an event: well-formed, and nothing in it but shapes and texts."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.report.event_chart import MOST_POINTS, ChartPoint, clearest, render
from tests.suspected import CASE, OTHER_CASES, affected, commit, event

Golden = Callable[[str, str], None]
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "title", "style", "text", "line", "polyline", "circle"}
ANY = st.floats(allow_nan=True, allow_infinity=True)


def points(count: int = 10, step_at: int = 5) -> list[ChartPoint]:
    levels = [1.0e-4 if n < step_at else 1.08e-4 for n in range(count)]
    return [
        ChartPoint(commit(n).sha, level, level * 0.99, level * 1.01)
        for n, level in enumerate(levels)
    ]


def drawn(text: str) -> list[ET.Element]:
    """The elements of a picture; fails where it is no XML, or has others than shapes."""
    root = ET.fromstring(text)  # noqa: S314 - made here
    elements = list(root.iter())
    assert {element.tag.removeprefix(SVG) for element in elements} <= SHAPES
    assert not any(name.startswith("on") or "href" in name for e in elements for name in e.attrib)
    return elements


def test_a_step_is_drawn_with_its_levels_and_its_commit(golden: Golden) -> None:
    about = event(affected(1.08))
    text = render(about, clearest(about), points())
    golden("event-chart.svg", text)
    texts = [element.text or "" for element in drawn(text) if element.tag == f"{SVG}text"]
    assert f"{CASE}: CPU per request +8 %" in texts
    assert {"before 100 µs", "after 108 µs"} <= set(texts)
    assert any("Change 5" in words for words in texts)


def test_a_long_series_is_drawn_around_its_event() -> None:
    about = event(affected(1.08), before=99, after=100)
    elements = drawn(render(about, clearest(about), points(400, 100)))
    assert len([element for element in elements if element.tag == f"{SVG}circle"]) == MOST_POINTS
    assert any(element.get("class") == "begin" for element in elements)


def test_no_points_and_one_point_and_no_levels() -> None:
    about = event(affected(1.08, before=None, after=None))
    assert "no run of this series is published" in render(about, clearest(about), [])
    drawn(render(about, clearest(about), points(1)))


def test_texts_of_strangers_are_texts() -> None:
    about = event(affected(1.08, metric="</text><script>x</script>"))
    about.culprit.after.message = '"><image href="x"/>&amp;\x00\x1b]]>\u202e'
    text = render(about, clearest(about), points())
    drawn(text)
    assert "<script" not in text


def test_the_largest_change_of_the_metric_that_most_share_is_drawn() -> None:
    about = event(affected(3.0, metric="startup_s"), affected(1.1), affected(0.5, OTHER_CASES[0]))
    assert clearest(about).case == OTHER_CASES[0]


@given(values=st.lists(st.tuples(ANY, st.none() | ANY, st.none() | ANY), max_size=8))
def test_any_numbers_make_a_picture(
    values: list[tuple[float, float | None, float | None]],
) -> None:
    about = event(affected(1.08))
    chart_points = [ChartPoint(commit(n).sha, *row) for n, row in enumerate(values)]
    text = render(about, clearest(about), chart_points)
    drawn(text)
    assert "nan" not in text.replace("finance", "")
    assert "inf" not in text


@pytest.mark.parametrize("scheme", ["#1f2328", "prefers-color-scheme:dark"])
def test_it_is_readable_in_light_and_dark(scheme: str) -> None:
    about = event(affected(1.08))
    assert scheme in render(about, clearest(about), points())
