"""Published studies in the index: which row of the newest points stands for each figure."""

from __future__ import annotations

from springbench.history.latest import LatestPoint
from springbench.history.studies import study_rows
from springbench.matrix.rows import Matrix
from springbench.paths import STUDIES
from springbench.results.published_run import CaseRow
from springbench.results.study_file import load_studies

JETTY, TOMCAT = "boot4-jetty-virtual-jvm/pay/3000", "boot4-tomcat-virtual-jvm/pay/3000"


def case(name: str, configuration: str = "full-3x10s") -> CaseRow:
    variant, workload, connections = name.split("/")
    boot, server, model, runtime = variant.split("-")
    return CaseRow(
        case=name, boot=boot, server=server, model=model, runtime=runtime, workload=workload,
        connections=int(connections), configuration=configuration,
    )  # fmt: skip


def point(rate: float, time: str = "2026-01-01", bottleneck: str | None = "memory") -> LatestPoint:
    return LatestPoint(
        run="gh-1", started_at=time, time=time, sha=None, marks=(), status="ok",
        bottleneck=bottleneck, n=3, theoretical_max_rps=None, notes=(),
        values={"throughput_rps": (rate, rate - 5, rate + 5)},
    )  # fmt: skip


def test_the_newest_row_of_a_case_stands_for_a_figure(matrix: Matrix) -> None:
    cases = [case(TOMCAT), case(TOMCAT, "quick-1x4s"), case(JETTY)]
    points = [point(2400.0), point(2500.0, "2026-02-01"), point(2900.0)]
    [row] = [candidate for candidate in study_rows(cases, points) if candidate.study == "000"]
    [study] = [
        candidate for candidate in load_studies(STUDIES, matrix).studies if candidate.id == "000"
    ]
    found = {
        figure.variant: (rank, ratio)
        for figure, rank, ratio in zip(study.figures, row.measured, row.ratio, strict=True)
        if figure.metric == "throughput_rps" and figure.connections == 3000
    }
    tomcat, jetty = found["boot4-tomcat-virtual-native"], found["boot4-jetty-virtual-native"]
    assert (tomcat[0], jetty[0]) == (1, 2)
    [turned] = row.reversals
    assert study.figures[turned.first].variant == "boot4-tomcat-virtual-native"
    assert turned.here == 2900 / 2500


def test_where_nothing_of_a_study_was_measured_it_has_no_row() -> None:
    assert study_rows([], []) == []
    assert study_rows([case("boot4-tomcat-virtual-jvm/json/64")], [point(1.0)]) == []
