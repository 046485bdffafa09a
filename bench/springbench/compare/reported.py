"""Two files of another harness compared: benchmarks that both have, by their repetitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.analysis.comparison.stored import MIN_FORKS, Sample, compare_samples
from springbench.harnesses.measurement import Measurement, Results
from springbench.harnesses.readers import Reader, read_results
from springbench.results.comparison import FindingRecord
from springbench.untrusted import one_line

ONE_FORK = "of one fork on a side: forks differ by more than iterations"
_MOST_NAMED = 4
_Key = tuple[str, str, int]


@dataclass
class ReportedComparison:
    """What two files say of each other, and a line for what they do not."""

    findings: list[FindingRecord] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def compare_reported(base: Path, head: Path, reader: Reader) -> ReportedComparison:
    """Two files of one harness. Raises `ConfigurationError`.

    A change that rests on the iterations of a single fork is suspected at the most.
    """
    sides = [read_results(file, reader) for file in (base, head)]
    lines = dict.fromkeys(line for side in sides for line in side.left_out)
    found = ReportedComparison(left_out=list(lines))
    before, after = (_by_key(side) for side in sides)
    found.left_out += _lines("only base has", [before[key] for key in before if key not in after])
    found.left_out += _lines("only head has", [after[key] for key in after if key not in before])
    pairs = [(before[key], after[key]) for key in before if key in after]
    alone = [pair for pair in pairs if not all(map(_is_repeated, pair))]
    found.left_out += _lines("without repetitions on both sides", [one for one, _ in alone])
    comparable = [pair for pair in pairs if pair not in alone]
    findings = compare_samples(
        [
            Sample(one_line(one.title), one.metric, one.values, other.values)
            for one, other in comparable
        ]
    )
    found.findings = [
        _cautious(finding, pair) for finding, pair in zip(findings, comparable, strict=True)
    ]
    return found


def _by_key(results: Results) -> dict[_Key, Measurement]:
    return {
        (measurement.title, measurement.configuration, measurement.concurrency): measurement
        for measurement in results.found
    }


def _is_repeated(measurement: Measurement) -> bool:
    return len(measurement.values) >= MIN_FORKS and min(measurement.values) > 0


def _cautious(finding: FindingRecord, pair: tuple[Measurement, Measurement]) -> FindingRecord:
    changed = finding.verdict in ("regression", "improvement")
    # iterations of one process are no independent repetitions: springbench counts forks
    if changed and any(measurement.note for measurement in pair):
        return finding.model_copy(update={"verdict": "suspected", "note": ONE_FORK})
    # that both sides were measured at different times, is so of all of them
    return finding.model_copy(update={"note": None})


def _lines(why: str, measurements: Sequence[Measurement]) -> Iterator[str]:
    if not measurements:
        return
    more = len(measurements) - _MOST_NAMED
    named = "; ".join(one_line(measurement.title) for measurement in measurements[:_MOST_NAMED])
    yield f"not compared, {why}: {named}" + (f"; {more} more" if more > 0 else "")
