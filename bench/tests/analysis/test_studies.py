"""Published figures and measured ones: which case matches a figure, and which order is reversed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from springbench.analysis.studies import Value, pairs, reversals
from springbench.results.studies import Axes, Figure

RUNTIMES = ("jvm", "native")
TOMCAT = Axes("boot4", "tomcat", "virtual", "jvm")


@dataclass(frozen=True)
class Row:
    axes: Axes = TOMCAT
    load: tuple[str, int] = ("pay", 1000)
    is_ranked: bool = True
    median: float | None = 990.0
    half: float = 5.0

    def value(self, metric: str) -> Value | None:
        if metric != "throughput_rps" or self.median is None:
            return None
        return Value(self.median, self.median - self.half, self.median + self.half)


def figure(server: str = "tomcat", value: float = 900.0, at: int = 1000) -> Figure:
    return Figure(
        variant=f"boot4-{server}-virtual-native", workload="pay", connections=at,
        metric="throughput_rps", value=value, unit="rps",
    )  # fmt: skip


JETTY = figure("jetty", 500.0)
ROW = Row()


def jetty(median: float) -> Row:
    return Row(axes=replace(TOMCAT, server="jetty"), median=median)


def test_the_runtime_that_a_study_measured_comes_first_then_its_line() -> None:
    native = Row(axes=Axes("boot3", "tomcat", "virtual", "native"))
    same = Row(axes=Axes("boot4", "tomcat", "virtual", "native"))
    assert pairs([figure()], [ROW, native, same], RUNTIMES)[0].measured is same
    assert pairs([figure()], [ROW, native], RUNTIMES)[0].measured is native


@pytest.mark.parametrize(
    "other", [Row(load=("pay", 100)), Row(load=("task", 1000)), jetty(9.0), Row(median=None)]
)
def test_another_load_or_server_or_a_failed_case_is_no_counterpart(other: Row) -> None:
    [pair] = pairs([figure()], [other], RUNTIMES)
    assert (pair.measured, pair.value, pair.ratio) == (None, None, None)


def test_beside_a_published_zero_there_is_no_ratio() -> None:
    assert pairs([figure(value=0.0)], [ROW], RUNTIMES)[0].ratio is None
    assert pairs([figure(value=495.0)], [ROW], RUNTIMES)[0].ratio == 2


@pytest.mark.parametrize("figures", [[figure(), JETTY], [JETTY, figure()]])
def test_a_reversed_order_is_reported_once_in_either_direction(
    figures: list[Figure],
) -> None:
    [found] = reversals(pairs(figures, [Row(median=400.0), jetty(800.0)], RUNTIMES))
    assert (found.there, found.here, found.first.figure.median) == (1.8, 2.0, 900.0)


@pytest.mark.parametrize(
    ("tomcat", "other"),
    [
        (Row(median=400.0), jetty(410.0)),
        (Row(median=400.0, half=300.0), replace(jetty(800.0), half=300.0)),
        (Row(median=800.0), jetty(400.0)),
        (Row(median=400.0, is_ranked=False), jetty(800.0)),
        (Row(median=400.0), replace(jetty(800.0), load=("pay", 100))),
    ],
)
def test_what_lies_close_or_cannot_be_told_apart_or_is_not_ranked_is_no_reversal(
    tomcat: Row, other: Row
) -> None:
    figures = [figure(), figure("jetty", 500.0, other.load[1])]
    assert reversals(pairs(figures, [tomcat, other], RUNTIMES)) == []
