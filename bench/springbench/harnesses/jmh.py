"""JMH's results in JSON (`-rf json`): a list of benchmarks, each with raw values by fork.

The score, its unit and the mode are in the file. A fork is what is repeated: with several, each
counts once, by the mean of its iterations.
"""

from __future__ import annotations

import statistics
from typing import Any

from springbench.harnesses.measurement import (
    Measurement,
    NoResultError,
    Results,
    metric_of,
    number_in,
    numbers,
    text_in,
    texts_in,
    whole_number_in,
)
from springbench.untrusted import sanitise

MODES = {
    "thrpt": "throughput",
    "avgt": "average time",
    "sample": "sampled time",
    "ss": "single shot time",
}
"""By their short names, as files have them."""
# of samples: the least and the largest of all are no figure of a benchmark
_EXTREMES = ("p0.00", "p1.00")
_ONE_FORK = "It ran in one fork: the interval is that of its iterations, and forks differ by more."


def accepts(document: Any) -> bool:
    """Whether a document is of JMH."""
    return isinstance(document, list) and all(
        isinstance(benchmark, dict) and "benchmark" in benchmark for benchmark in document
    )


def read(document: list[Any]) -> Results:
    """The benchmarks of a file."""
    results = Results()
    without_direction: list[str] = []
    for index, benchmark in enumerate(document):
        name = str(benchmark.get("benchmark", "")) if isinstance(benchmark, dict) else ""
        try:
            results.found.append(_primary(benchmark))
            results.version = results.version or str(benchmark.get("jmhVersion", ""))
            results.jdk = results.jdk or str(benchmark.get("jdkVersion", ""))
        except NoResultError as error:
            results.leave_out(name or f"benchmark {index + 1}", str(error))
            continue
        _add_secondary(benchmark, results, without_direction)
    if without_direction:
        names = ", ".join(dict.fromkeys(without_direction))
        results.left_out.append(
            f"left out, as their units do not say whether more is better: {sanitise(names, 400)}"
        )
    return results


def _primary(benchmark: Any) -> Measurement:
    mode = text_in(benchmark, "mode")
    if mode not in MODES:
        raise NoResultError(f"mode {sanitise(repr(mode), 40)}; allowed: {', '.join(MODES)}")
    metric = benchmark.get("primaryMetric")
    if not isinstance(metric, dict):
        raise NoResultError("primaryMetric is missing")
    return _measurement(benchmark, MODES[mode], metric)


def _add_secondary(
    benchmark: dict[str, Any], results: Results, without_direction: list[str]
) -> None:
    secondary = benchmark.get("secondaryMetrics")
    for name, metric in secondary.items() if isinstance(secondary, dict) else ():
        # older versions begin a profiler's with a dot of their own
        figure = name.lstrip("·")
        if figure in _EXTREMES:
            continue
        try:
            metric_of(text_in(metric, "scoreUnit"))
        except NoResultError:
            unit = metric.get("scoreUnit", "") if isinstance(metric, dict) else ""
            without_direction.append(f"{figure} ({unit})")
            continue
        try:
            results.found.append(_measurement(benchmark, figure, metric))
        except NoResultError as error:
            results.leave_out(f"{benchmark['benchmark']}, {figure}", str(error))


def _measurement(benchmark: Any, figure: str, metric: dict[str, Any]) -> Measurement:
    unit = text_in(metric, "scoreUnit")
    kind, factor = metric_of(unit)
    forks = [[factor * value for value in fork] for fork in _forks(metric)]
    iterations = [value for fork in forks for value in fork]
    values = list(map(statistics.fmean, forks)) if len(forks) > 1 else iterations
    return Measurement(
        benchmark=text_in(benchmark, "benchmark"),
        figure=figure,
        metric=kind,
        unit=unit,
        value=factor * number_in(metric, "score"),
        values=values,
        parameters=texts_in(benchmark, "params"),
        configuration=_configuration(benchmark),
        concurrency=whole_number_in(benchmark, "threads", 1),
        note=_ONE_FORK if len(forks) == 1 and len(values) > 1 else None,
    )


def _forks(metric: dict[str, Any]) -> list[list[float]]:
    """The values of each fork, an entry for each iteration; none where the file has no raw data.

    Of a histogram an iteration's is its mean.
    """
    raw, histograms = metric.get("rawData"), metric.get("rawDataHistogram")
    if isinstance(histograms, list):
        forks = [
            [mean for iteration in fork if (mean := _mean(iteration)) is not None]
            for fork in histograms
            if isinstance(fork, list)
        ]
    else:
        forks = [list(numbers(fork)) for fork in raw] if isinstance(raw, list) else []
    return [fork for fork in forks if fork]


def _mean(histogram: Any) -> float | None:
    """Of pairs of a value and how often it was seen."""
    pairs = [list(numbers(pair)) for pair in histogram] if isinstance(histogram, list) else []
    counted = [(pair[0], pair[1]) for pair in pairs if len(pair) == 2]
    total = sum(count for _, count in counted)
    return sum(value * count for value, count in counted) / total if total else None


def _configuration(benchmark: Any) -> str:
    """`avgt-2x5-10s-w5`: mode, forks and iterations, the time of each, and those of warm-up."""
    time = str(benchmark.get("measurementTime", "")).replace(" ", "")
    forks, iterations = (
        whole_number_in(benchmark, "forks"),
        whole_number_in(benchmark, "measurementIterations"),
    )
    parts = [
        benchmark["mode"],
        f"{forks}x{iterations}",
        time,
        f"w{whole_number_in(benchmark, 'warmupIterations')}",
    ]
    batch = whole_number_in(benchmark, "measurementBatchSize", 1)
    return "-".join(filter(None, [*parts, f"b{batch}" if batch > 1 else ""]))
