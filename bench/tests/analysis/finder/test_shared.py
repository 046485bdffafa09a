from __future__ import annotations

from collections.abc import Callable

from springbench.analysis.finder.events import shared_words
from springbench.results.published_run import CaseRow
from tests.analysis.finder.series import row

SERVERS = ("tomcat", "jetty")
ALL = [
    row(server, model, workload)
    for server in SERVERS
    for model in ("platform", "virtual")
    for workload in ("hello", "pay")
]


def words(matches: Callable[[CaseRow], bool]) -> str:
    return shared_words([case for case in ALL if matches(case)], ALL)


def test_one_case_is_named() -> None:
    assert shared_words(ALL[:1], ALL) == ALL[0].case


def test_all_of_an_axis_are_said_by_it() -> None:
    assert words(lambda case: case.model == "virtual") == "every virtual case"
    assert words(lambda case: case.server == "jetty") == "every case of jetty"


def test_two_axes_are_said_by_both() -> None:
    text = words(lambda case: case.server == "jetty" and case.workload == "hello")
    assert text == "every hello case of jetty"


def test_every_case_is_every_case() -> None:
    assert words(lambda _: True) == "every case"


def test_some_are_counted_and_what_differs_is_named() -> None:
    some = [case for case in ALL if case.model == "virtual"][:3]
    assert (
        shared_words(some, ALL)
        == "3 of 4: virtual jvm case on boot4 at 64 connections (jetty and tomcat; hello and pay)"
    )
