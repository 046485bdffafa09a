"""What is to be said of a result's number, sentence by sentence."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from springbench import units
from springbench.results.metrics import BY_NAME
from springbench.results.records import RouteRecord
from springbench.results.run import Caution, LimitRecord, Result

# what limits the others is said by its label alone
_EXPLAINED = (
    "cpu-quota",
    "thread-cap",
    "memory",
    "upstream",
    "backlog",
    "database-pool",
    "cpu-waves",
    "load-generator",
    "link",
    "errors",
    "not-warmed-up",
)


def notes_of(result: Result) -> list[str]:
    """What it is made of, why it is not larger, then what speaks against it, with remedies."""
    return [
        *limit_notes(result),
        *route_notes(result),
        *bottleneck_notes(result),
        *map(warning_words, result.warnings),
    ]


def limit_notes(result: Result) -> list[str]:
    """Which limits of its owner it breaks, which nothing decides, and which it keeps."""
    words: dict[str, list[str]] = {"broken": [], "undecided": [], "kept": []}
    for limit in result.limits:
        words[limit.verdict].append(limit_words(limit))
    return [f"limits {verdict}: {'; '.join(such)}." for verdict, such in words.items() if such]


def limit_words(limit: LimitRecord) -> str:
    """A limit, and the measured value with its interval."""
    metric = BY_NAME.get(limit.metric)
    if metric is None:
        # of a file of a newer version
        return f"{limit.name} {limit.limit:g}"
    bound = "at least" if metric.better == "higher" else "at most"
    allowed = f"{metric.term or limit.name} {bound} {metric.cell(limit.limit)}"
    if limit.value is None:
        return f"{allowed}, and it was not measured"
    low, high = metric.cell(limit.low), metric.cell(limit.high)
    return f"{allowed}, measured {metric.cell(limit.value)} [{low}, {high}]"


def route_notes(result: Result) -> list[str]:
    """What each request of a mix had of the throughput, and its queries: medians of the forks."""
    parts: dict[tuple[str, float], list[RouteRecord]] = {}
    for fork in result.forks:
        for route in fork.load.routes if fork.load else ():
            parts.setdefault((route.name, route.share_ratio), []).append(route)
    words = [
        f"{name} {units.share(share, 0)} ({', '.join(_route_figures(routes))})"
        for (name, share), routes in parts.items()
    ]
    return [f"by route: {', '.join(words)}; latencies are of all together."] if words else []


def _route_figures(routes: list[RouteRecord]) -> Iterator[str]:
    yield f"{units.rate(statistics.median(route.throughput_rps for route in routes))} req/s"
    queries = [r.queries_per_request for r in routes if r.queries_per_request is not None]
    if queries:
        count = statistics.median(queries)
        yield f"{count:.3g} {'query' if count == 1 else 'queries'} each"


def bottleneck_notes(result: Result) -> list[str]:
    """Why the number is not larger, and how to lift that."""
    bottleneck = result.bottleneck
    if bottleneck and bottleneck.kind in _EXPLAINED:
        remedy = f" To lift it, {bottleneck.remedy}." if bottleneck.remedy else ""
        return [f"{bottleneck.text}{remedy}"]
    return []


def warning_words(warning: Caution) -> str:
    """The sentence of a warning, with its remedy."""
    return f"warning: {warning.words}."
