from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.releases.release import (
    Span,
    Version,
    parse_span,
    release_distance,
    select_versions,
)

PUBLISHED = ("3.5.0", "3.5.1", "3.5.3", "4.0.0-M1", "4.0.0-RC2", "4.0.0", "4.0.1", "4.1.0", "x")
versions = st.builds(Version, *[st.integers(0, 30)] * 3)


def named(*texts: str) -> list[str]:
    return [
        str(version) for version in select_versions([parse_span(text) for text in texts], PUBLISHED)
    ]


def test_one_release_a_range_and_all_since() -> None:
    assert named("4.0.1") == ["4.0.1"]
    assert named("3.5.1..4.0.0") == ["3.5.1", "3.5.2", "3.5.3", "4.0.0"]
    assert named("4.0.1..") == ["4.0.1", "4.1.0"]


def test_several_are_measured_once_and_in_order() -> None:
    assert named("4.0.0..", "3.5.3", "4.0.1") == ["3.5.3", "4.0.0", "4.0.1", "4.1.0"]


def test_a_number_that_the_list_leaves_out_is_tried() -> None:
    assert "3.5.2" in named("3.5.0..3.5.3")


@pytest.mark.parametrize(
    "text",
    [
        "4.0",
        "v4.0.1",
        "4.0.1-M1",
        "4.0.1...",
        "..4.0.1",
        "",
        "04.0.1",
        "4.0.x",
        "４.0.1",
        "4.0.1.2",
    ],
)
def test_what_names_no_release_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"allowed: one release as 4\.0\.3"):
        parse_span(text)


def test_a_range_that_ends_before_it_begins() -> None:
    with pytest.raises(ConfigurationError, match=r"write 3\.5\.0\.\.4\.0\.0"):
        parse_span("4.0.0..3.5.0")


def test_what_is_not_published_is_reported_with_its_neighbours() -> None:
    with pytest.raises(ConfigurationError, match=r"4\.0\.7.*the nearest: 4\.0\.1, 4\.1\.0"):
        named("3.5.0", "4.0.7")


@given(versions, versions)
def test_a_range_has_its_ends_and_what_lies_between(one: Version, other: Version) -> None:
    first, last = sorted((one, other))
    span = parse_span(f"{first}..{last}")
    assert span == Span(f"{first}..{last}", first, last)
    found = select_versions([span], [str(first), str(last)])
    assert found[0] == first
    assert found[-1] == last
    assert found == sorted(set(found))
    assert all(Version.parse(str(version)) == version for version in found)


@pytest.mark.parametrize(
    ("base", "head", "far"),
    [
        ("3.5.0", "3.5.1", 1),
        ("3.5.0", "3.5.4", 4),
        ("3.5.4", "4.0.0", 1),
        # 3.5.3 is not in the list, and may be there all the same
        ("3.5.2", "3.5.4", 2),
        ("3.5.2", "3.5.2", 0),
    ],
)
def test_releases_that_are_not_measured_lie_between_too(base: str, head: str, far: int) -> None:
    published = ["3.5.0", "3.5.1", "3.5.2", "3.5.4", "4.0.0", "4.0.0-RC1"]
    ends = [Version.parse(text) for text in (base, head)]
    assert ends[0] and ends[1]
    assert release_distance(ends[0], ends[1], published) == far
