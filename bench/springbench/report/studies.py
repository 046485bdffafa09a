"""Published figures of studies beside those of a run. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from springbench import units
from springbench.analysis import studies
from springbench.analysis.studies import Value
from springbench.report.markdown import escape, table_lines
from springbench.results.metrics import Unit
from springbench.results.run import Result, Run
from springbench.results.studies import Axes, Headers, Study, StudyFigures, axes_of
from springbench.untrusted import one_line

COLUMNS = ("case", "metric", "published", "measured", "ratio", "measured as", "bottleneck")
LEFT_ALIGNED = {"case", "metric", "measured as", "bottleneck"}
RATIO_NOTE = (
    "ratio: measured ÷ published; several published values of one measurement: their median."
)
NOTHING = "No case of this run stands in a published study; `--profile study-…` repeats one."
NOT_MEASURED = "not measured"
UNSTATED = "not stated"


@dataclass(frozen=True)
class _OfRun:
    """A result of the run."""

    result: Result

    @property
    def axes(self) -> Axes:
        result = self.result
        return Axes(result.boot, result.server, result.model, result.runtime)

    @property
    def load(self) -> tuple[str, int]:
        return self.result.workload, self.result.connections

    @property
    def is_ranked(self) -> bool:
        return not self.result.unranked

    def value(self, metric: str) -> Value | None:
        summary = self.result.summary.get(metric)
        return Value(summary.median, summary.low, summary.high) if summary else None


Pair = studies.Pair[_OfRun]


@dataclass(frozen=True)
class StudyTable:
    """One study: a row of texts for each figure, and what the reader must know."""

    title: str
    rows: tuple[tuple[str, ...], ...]
    differences: tuple[str, ...]
    notes: tuple[str, ...]


def compare_with_studies(
    run: Run, figures: StudyFigures, runtimes: Sequence[str]
) -> list[StudyTable]:
    """The studies that the run repeats: those of its profile, else those it has a case of."""
    profile_studies = [study for study in figures.studies if study.profile == run.run.profile]
    measured = [_OfRun(result) for result in run.results]
    found = [
        (study, studies.pairs(study.figures, measured, runtimes))
        for study in profile_studies or figures.studies
    ]
    return [
        _study(run, study, pairs, runtimes)
        for study, pairs in found
        if profile_studies or any(pair.measured for pair in pairs)
    ]


def render(run: Run, figures: StudyFigures, runtimes: Sequence[str]) -> str:
    """As Markdown."""
    lines = [f"# Published beside measured: {escape(run.run.id)}", ""]
    found = compare_with_studies(run, figures, runtimes)
    for study in found:
        lines += [f"## {escape(study.title)}", ""]
        lines += table_lines(COLUMNS, study.rows, LEFT_ALIGNED)
        lines += ["", *(f"- {escape(text)}" for text in (*study.differences, *study.notes)), ""]
    lines.append(escape(RATIO_NOTE if found else NOTHING))
    return "\n".join(lines) + "\n"


def _study(run: Run, study: Study, pairs: Sequence[Pair], runtimes: Sequence[str]) -> StudyTable:
    return StudyTable(
        title=f"study {study.id}",
        rows=tuple(tuple(map(one_line, _row(pair))) for pair in pairs),
        differences=tuple(map(one_line, _differences(run, study, pairs))),
        notes=tuple(map(one_line, _notes(run, study, pairs, runtimes))),
    )


def _row(pair: Pair) -> tuple[str, ...]:
    figure, result = pair.figure, _result(pair)
    load = f"/{figure.workload}/{figure.connections}" if figure.workload else ""
    about = "about " if figure.about else ""
    return (
        f"{figure.variant}{load}",
        figure.metric,
        about + value(figure.median, figure.base_unit),
        value(pair.value.median if pair.value else None, figure.base_unit),
        units.ABSENT if pair.ratio is None else f"{pair.ratio:.2f}",
        result.case.split("/")[0] if result else NOT_MEASURED,
        _bottleneck(result) if figure.metric == "throughput_rps" else "",
    )


def _result(pair: Pair) -> Result | None:
    return pair.measured.result if pair.measured else None


def _bottleneck(result: Result | None) -> str:
    return result.bottleneck.label if result and result.bottleneck else ""


def value(number: float | None, unit: Unit) -> str:
    """A figure for a person."""
    if number is None:
        return units.ABSENT
    if unit == "rps":
        return f"{units.rate(number)}/s"
    if unit == "s":
        return units.milliseconds(number)
    if unit == "bytes":
        return units.megabytes(number) if number >= 1 << 20 else f"{number:,.0f} B"
    if unit == "bytes_per_s":
        return f"{number / 1024:,.1f} KiB/s"
    return units.share(number) if unit == "ratio" else f"{number:g}"


def _differences(run: Run, study: Study, pairs: Sequence[Pair]) -> Iterator[str]:
    """Differences between the setting of the run and the study's."""
    host = run.host
    run_host = f"{host.cpu_model}, {host.cores} CPUs, {units.megabytes(host.memory_bytes)}"
    yield _difference("machine", study.machine, run_host)
    limit = study.memory_limit_bytes
    if limit != host.limits.memory_limit_bytes:
        study_limit = units.memory_limit(limit) if limit else None
        yield _difference(
            "memory limit", study_limit, units.memory_limit(host.limits.memory_limit_bytes)
        )
    measured = [pair.measured.result for pair in pairs if pair.measured]
    boots = _distinct(run.tools.boots.get(result.boot, result.boot) for result in measured)
    if boots and boots != study.boot_version:
        yield _difference("Spring Boot", study.boot_version, boots)
    if study.jdk is None or run.tools.jdk.split(".")[0] != study.jdk.split(".")[0]:
        yield _difference("JDK", study.jdk, run.tools.jdk)
    study_runtime = _distinct(pair.axes.runtime for pair in pairs if pair.measured)
    if study_runtime != (now := _distinct(result.runtime for result in measured)):
        yield _difference("runtime", study_runtime, now)
    if study.tool != "wrk":
        yield _difference("load", study.tool, f"wrk {run.tools.wrk}")
    windows = {fork.load.window_s for result in measured for fork in result.forks if fork.load}
    if windows and windows != {study.duration_s}:
        spans = " and ".join(units.duration(window_s) for window_s in sorted(windows))
        lasted = units.duration(study.duration_s) if study.duration_s else None
        yield _difference("duration", lasted, f"a window of {spans}, after warm-up")


def _difference(what: str, study_setting: str | None, run_setting: str) -> str:
    return f"setting differs, {what}: {study_setting or UNSTATED}; here {run_setting}"


def _distinct(names: Iterator[str]) -> str:
    return " and ".join(dict.fromkeys(names))


def _notes(run: Run, study: Study, pairs: Sequence[Pair], runtimes: Sequence[str]) -> Iterator[str]:
    yield from (f"the study: {note}" for note in study.notes)
    for headers in study.headers:
        if (seen := _headers_seen(run, headers, runtimes)) is not None:
            yield (
                f"headers of {headers.workload}, {headers.variant}: "
                f"{', '.join(headers.names)}; here {', '.join(seen) or 'none'}"
            )
    yield from _reversals(pairs)


def _headers_seen(run: Run, headers: Headers, runtimes: Sequence[str]) -> list[str] | None:
    axes = axes_of(headers.variant, runtimes)
    for result in run.results:
        same = (result.server, result.model) == (axes.server, axes.model)
        if same and result.workload == headers.workload:
            for fork in result.forks:
                if fork.headers:
                    return sorted(fork.headers)
    return None


def _reversals(pairs: Sequence[Pair]) -> Iterator[str]:
    """Pairs of variants that the run puts the other way round than the study does."""
    for turned in studies.reversals(pairs):
        first, second = turned.first, turned.second
        yield (
            f"order differs at {first.figure.workload}/{first.figure.connections}: the study has "
            f"{first.figure.variant} before {second.figure.variant} by {turned.there:.2f}, the run "
            f"the other way round by {turned.here:.2f}{_why(second, first)}"
        )


def _why(*pairs: Pair) -> str:
    """Bounds of each of them here."""
    bottlenecks = [
        f"{pair.axes.server} {pair.axes.model} is limited by {bottleneck}"
        for pair in pairs
        if (bottleneck := _bottleneck(_result(pair)))
    ]
    return f"; here {', '.join(bottlenecks)}" if bottlenecks else ""
