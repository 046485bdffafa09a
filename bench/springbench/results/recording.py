"""Recorded measurements: runs and comparisons that take the place of new ones.

A recording is `run.json` or `comparison.json` as a run or a comparison wrote it, or a folder of
such files. With one everything that follows from a measurement (verdicts, warnings, reports, the
published history, events) can be had in seconds, on any host, again and again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from springbench.errors import ConfigurationError
from springbench.results.comparison import COMPARISON_SCHEMA_VERSION, Comparison, SideInfo
from springbench.results.records import ForkRecord
from springbench.results.run import SCHEMA_VERSION, Caution, Result, Run
from springbench.results.untrusted import FileKind, checked_record, read_document

SUFFIXES = (".json", ".json.gz")
_REMEDY = "a recording is a run.json or comparison.json of this version, or a folder of them"
RECORDED_RUN = FileKind(Run, SCHEMA_VERSION, "run", _REMEDY)
RECORDED_COMPARISON = FileKind(Comparison, COMPARISON_SCHEMA_VERSION, "comparison", _REMEDY)


@dataclass(frozen=True)
class Recording:
    """Runs and comparisons in the order of their file names, and where they were read."""

    place: Path
    runs: tuple[Run, ...]
    comparisons: tuple[Comparison, ...]

    @classmethod
    def read(cls, place: Path) -> Recording:
        """The recording in a file or folder. Raises `ConfigurationError` in one line."""
        files = (
            [file for file in sorted(place.iterdir()) if file.name.endswith(SUFFIXES)]
            if place.is_dir()
            else [place]
        )
        found = [_read(file) for file in files]
        if not found:
            raise ConfigurationError(f"{place}: holds no recording; {_REMEDY}")
        return cls(
            place,
            tuple(run for run in found if isinstance(run, Run)),
            tuple(comparison for comparison in found if isinstance(comparison, Comparison)),
        )

    def find(self, case: str) -> tuple[Run, Result]:
        """The first run that has a case, and its result. Raises `ConfigurationError`."""
        for run in self.runs:
            if result := run.find(case):
                return run, result
        known = sorted({result.case for run in self.runs for result in run.results})
        raise ConfigurationError(
            f"{self.place}: has no measurement of {case}; it has: {', '.join(known) or 'no run'}"
        )

    def fork(self, case: str, number: int) -> ForkRecord:
        """A recorded fork; they are used again from the first one where more are asked for.

        Raises `ConfigurationError`.
        """
        forks = self.find(case)[1].forks
        if not forks:
            raise ConfigurationError(f"{self.place}: {case} was not measured in it")
        return forks[number % len(forks)].model_copy(update={"fork": number}, deep=True)

    def comparison_of(self, base: SideInfo, head: SideInfo) -> Comparison:
        """The comparison whose commits have the messages of these sides; a single one serves all.

        Raises `ConfigurationError`.
        """
        messages = (base.message, head.message)
        for comparison in self.comparisons:
            if (comparison.base.message, comparison.head.message) == messages:
                return comparison
        if len(self.comparisons) == 1:
            return self.comparisons[0]
        known = [
            f"{comparison.base.message!r} with {comparison.head.message!r}"
            for comparison in self.comparisons
        ]
        raise ConfigurationError(
            f"{self.place}: has no comparison of {base.message!r} with {head.message!r}; "
            f"it has: {', '.join(known) or 'none'}"
        )

    @property
    def caution(self) -> Caution:
        """What a reader of the result must know."""
        return Caution(
            code="recorded",
            message=f"nothing was measured: the measurements are those of {self.place.name}, "
            "made earlier and perhaps elsewhere",
            remedy="measure without --recording",
        )


def _read(file: Path) -> Run | Comparison:
    data, document = read_document(file, RECORDED_RUN)
    if not isinstance(document, dict):
        raise ConfigurationError(f"{file}: is no recording; {_REMEDY}")
    kind: FileKind[Any] = RECORDED_COMPARISON if "comparison" in document else RECORDED_RUN
    record: Run | Comparison = checked_record(file, kind, data, document)
    return record
