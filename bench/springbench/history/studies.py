"""Published studies with the newest points of a host class, as the index stores them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from springbench.analysis.studies import Value, pairs, reversals
from springbench.history.latest import LatestPoint
from springbench.paths import STUDIES
from springbench.results.history import StudyReversal, StudyRow
from springbench.results.published_run import CaseRow
from springbench.results.run import UNRANKED
from springbench.results.studies import Axes, Study
from springbench.results.study_file import read_studies


@dataclass(frozen=True)
class _Newest:
    """The newest point of a case; `index` is that of its row in the columns of the index."""

    index: int
    case: CaseRow
    point: LatestPoint

    @property
    def axes(self) -> Axes:
        case = self.case
        return Axes(case.boot, case.server, case.model, case.runtime)

    @property
    def load(self) -> tuple[str, int]:
        return self.case.workload, self.case.connections

    @property
    def is_ranked(self) -> bool:
        return self.point.bottleneck not in UNRANKED

    def value(self, metric: str) -> Value | None:
        median, low, high = self.point.values.get(metric, (None, None, None))
        if self.point.status != "ok" or median is None:
            return None
        return Value(median, median if low is None else low, median if high is None else high)


def study_rows(cases: Sequence[CaseRow], points: Sequence[LatestPoint]) -> list[StudyRow]:
    """Of each study what stands for its figures; both arguments have one for each row.

    None where nothing was measured that a study has.
    """
    newest: dict[str, _Newest] = {}
    for index, (case, point) in enumerate(zip(cases, points, strict=True)):
        other = newest.get(case.case)
        if other is None or other.point.key <= point.key:
            newest[case.case] = _Newest(index, case, point)
    measured = list(newest.values())
    runtimes = sorted({"jvm", "native", *(case.runtime for case in cases)})
    rows = [_row(study, measured, runtimes) for study in _studies()]
    return [row for row in rows if any(index is not None for index in row.measured)]


def _row(study: Study, measured: Sequence[_Newest], runtimes: Sequence[str]) -> StudyRow:
    found = pairs(study.figures, measured, runtimes)
    at = {id(pair): index for index, pair in enumerate(found)}
    return StudyRow(
        study=study.id,
        measured=[pair.measured.index if pair.measured else None for pair in found],
        ratio=[pair.ratio for pair in found],
        reversals=[
            StudyReversal(
                first=at[id(reversal.first)],
                second=at[id(reversal.second)],
                there=reversal.there,
                here=reversal.here,
            )
            for reversal in reversals(found)
        ],
    )


@cache
def _studies() -> tuple[Study, ...]:
    """Those that this clone has; a history of a service is written without."""
    return read_studies(STUDIES).studies if STUDIES.is_file() else ()
