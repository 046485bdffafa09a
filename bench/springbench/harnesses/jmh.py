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
        isinstance(each, dict) and "benchmark" in each for each in document
    )


def read(document: list[Any]) -> Results:
    """The benchmarks of a file."""
    results = Results()
    without_direction: list[str] = []
    for place, each in enumerate(document):
        name = str(each.get("benchmark", "")) if isinstance(each, dict) else ""
        try:
            results.found.append(_primary(each))
            results.version = results.version or str(each.get("jmhVersion", ""))
            results.jdk = results.jdk or str(each.get("jdkVersion", ""))
        except NoResultError as error:
            results.leave_out(name or f"benchmark {place + 1}", str(error))
            continue
        _add_secondary(each, results, without_direction)
    if without_direction:
        names = ", ".join(dict.fromkeys(without_direction))
        results.left_out.append(
            f"left out, as their units do not say whether more is better: {sanitise(names, 400)}"
        )
    return results


def _primary(of: Any) -> Measurement:
    mode = text_in(of, "mode")
    if mode not in MODES:
        raise NoResultError(f"mode {sanitise(repr(mode), 40)}; allowed: {', '.join(MODES)}")
    metric = of.get("primaryMetric")
    if not isinstance(metric, dict):
        raise NoResultError("primaryMetric is missing")
    return _measurement(of, MODES[mode], metric)


def _add_secondary(of: dict[str, Any], results: Results, without_direction: list[str]) -> None:
    secondary = of.get("secondaryMetrics")
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
            results.found.append(_measurement(of, figure, metric))
        except NoResultError as error:
            results.leave_out(f"{of['benchmark']}, {figure}", str(error))


def _measurement(of: Any, figure: str, metric: dict[str, Any]) -> Measurement:
    unit = text_in(metric, "scoreUnit")
    kind, factor = metric_of(unit)
    forks = [[factor * each for each in fork] for fork in _forks(metric)]
    iterations = [each for fork in forks for each in fork]
    values = list(map(statistics.fmean, forks)) if len(forks) > 1 else iterations
    return Measurement(
        benchmark=text_in(of, "benchmark"),
        figure=figure,
        metric=kind,
        unit=unit,
        value=factor * number_in(metric, "score"),
        values=values,
        parameters=texts_in(of, "params"),
        configuration=_configuration(of),
        concurrency=whole_number_in(of, "threads", 1),
        note=_ONE_FORK if len(forks) == 1 and len(values) > 1 else None,
    )


def _forks(metric: dict[str, Any]) -> list[list[float]]:
    """The values of each fork, an entry for each iteration; none where the file has no raw data.

    Of a histogram an iteration's is its mean.
    """
    raw, histograms = metric.get("rawData"), metric.get("rawDataHistogram")
    if isinstance(histograms, list):
        forks = [
            [mean for each in fork if (mean := _mean(each)) is not None]
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


def _configuration(of: Any) -> str:
    """`avgt-2x5-10s-w5`: mode, forks and iterations, the time of each, and those of warm-up."""
    time = str(of.get("measurementTime", "")).replace(" ", "")
    forks, iterations = whole_number_in(of, "forks"), whole_number_in(of, "measurementIterations")
    parts = [
        of["mode"],
        f"{forks}x{iterations}",
        time,
        f"w{whole_number_in(of, 'warmupIterations')}",
    ]
    batch = whole_number_in(of, "measurementBatchSize", 1)
    return "-".join(filter(None, [*parts, f"b{batch}" if batch > 1 else ""]))
