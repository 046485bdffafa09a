"""Rows of a report, plain: the renderers only choose how it looks. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from springbench import units
from springbench.report.constant_rates import NOTE as RATE_NOTE
from springbench.results.metrics import Metric, metrics_in
from springbench.results.notes import notes_of, warning_words
from springbench.results.run import HostInfo, Rank, Ranking, Result, Run
from springbench.untrusted import one_line

# beside the throughput, which has its spread or its ratio to the best
RATE, *OTHER_METRICS = metrics_in("table")
COLUMNS = (
    "variant",
    "conns",
    RATE.head,
    "of max",
    *(f"{metric.head} *" if metric.closed_loop else metric.head for metric in OTHER_METRICS),
    "bottleneck",
)
CLOSED_LOOP_NOTE = (
    "* closed loop: the next request is sent when one is answered, so these latencies leave out "
    "what waiting clients would have seen."
)
ONE_FORK_NOTE = (
    "One fork a case: identical processes differ by several per cent, so smaller differences "
    "between rows mean nothing. --forks 5 shows the spread."
)


OF_BEST = "of best"


@dataclass(frozen=True)
class Table:
    """One workload: its question and a row of texts for each case, best first."""

    workload: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]


def tables(run: Run) -> list[Table]:
    """A table for each workload, in the order of the run."""
    workloads = dict.fromkeys(result.workload for result in run.results)
    return [_table(run, workload) for workload in workloads]


def _table(run: Run, workload: str) -> Table:
    results = [result for result in run.results if result.workload == workload]
    rankings = [
        ranking
        for ranking in run.rankings
        if ranking.workload == workload and ranking.metric == RATE.name
    ]
    ranks = {rank.case: rank for ranking in rankings for rank in ranking.ranks}
    results.sort(key=lambda result: _order(result, ranks.get(result.case)))
    below = _common_reasons(results)
    columns: tuple[str, ...] = COLUMNS
    interleaved = any(ranking.interleaved for ranking in rankings)
    rows = [_row(result, below, spread=not interleaved) for result in results]
    if ranks:
        at = COLUMNS.index(RATE.head) + 1
        columns = (*COLUMNS[:at], OF_BEST, *COLUMNS[at:])
        rows = [
            (*row[:at], _of_best(ranks.get(result.case)), *row[at:])
            for row, result in zip(rows, results, strict=True)
        ]
        columns, rows = _without_theoretical_max(columns, rows)
    notes = [*(_ranking_words(ranking, results) for ranking in rankings), *_notes(run, results)]
    notes += [f"skipped {count}: {why}." for why, count in below.items()]
    lines = tuple(tuple(map(one_line, row)) for row in rows)
    return Table(workload, columns, lines, tuple(map(one_line, notes)))


def _without_theoretical_max(
    columns: tuple[str, ...], rows: list[tuple[str, ...]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The same without the column of the theoretical maximum, where no row has one."""
    at = columns.index("of max")
    if any(row[at] != units.ABSENT for row in rows):
        return columns, rows
    return (*columns[:at], *columns[at + 1 :]), [(*row[:at], *row[at + 1 :]) for row in rows]


def _of_best(rank: Rank | None) -> str:
    """The ratio to the best with its interval, and the rank range."""
    if rank is None:
        return units.ABSENT
    if rank.ratio == rank.low == rank.high:
        return f"best, rank {rank.rank_range}"
    low, high = 100 * rank.low, 100 * rank.high
    return f"{100 * rank.ratio:.0f} % [{low:.0f}, {high:.0f}], rank {rank.rank_range}"


def _ranking_words(ranking: Ranking, results: Sequence[Result]) -> str:
    """How sure an order is, and what would make it surer."""
    servers, tied = len(ranking.ranks), [rank for rank in ranking.ranks if rank.first == 1]
    names = ", ".join(rank.case.split("/")[0] for rank in tied)
    leader = f"{names} are tied" if len(tied) > 1 else f"{names} is the fastest"
    counted = {
        result.case: result.summary["throughput_rps"].n for result in results if result.summary
    }
    lacking = any(counted.get(rank.case, 0) < ranking.rounds for rank in ranking.ranks)
    made_up = " Ratios make up for a round that a server lacks." if lacking else ""
    how = "interleaved" if ranking.interleaved else "measured one after the other"
    return (
        f"{ranking.workload} at {ranking.connections} connections: {leader}. {servers} servers, "
        f"{how} in {ranking.rounds} rounds of fresh processes; identical processes differ by "
        f"{100 * ranking.spread_ratio:.1f} %.{made_up} --forks makes more rounds."
    )


def _common_reasons(results: Sequence[Result]) -> dict[str, int]:
    """Why several cases were skipped alike: said once, and for how many."""
    counted = Counter(result.reason or "" for result in results if result.status == "skipped")
    return {reason: count for reason, count in counted.items() if count > 1}


def _order(result: Result, rank: Rank | None) -> tuple[int, int, float]:
    """By connections, then by throughput; what was not measured or not the server's last."""
    throughput = result.summary.get("throughput_rps")
    if rank is not None:
        return (result.connections, 0, -rank.ratio)
    unranked = throughput is None or result.unranked
    return (result.connections, int(unranked) + 1, -(throughput.median if throughput else 0.0))


def _row(result: Result, below: Collection[str], *, spread: bool) -> tuple[str, ...]:
    variant = result.case.split("/")[0]
    if "throughput_rps" not in result.summary:
        blank = [units.ABSENT] * (len(COLUMNS) - 3)
        reason = "" if result.reason in below else f": {result.reason}"
        return (variant, f"{result.connections}", *blank, f"{result.status}{reason}")

    def median(metric: Metric) -> float | None:
        return result.summary[metric.name].median if metric.name in result.summary else None

    throughput_rps = median(RATE) or 0.0
    theoretical_max = (
        throughput_rps / result.theoretical_max_rps if result.theoretical_max_rps else None
    )
    return (
        variant,
        f"{result.connections}",
        _with_spread(result) if spread else units.rate(throughput_rps),
        units.share(theoretical_max),
        *(metric.cell(median(metric)) for metric in OTHER_METRICS),
        _bottleneck(result),
    )


def _with_spread(result: Result) -> str:
    """The median, and how far the forks lie from it."""
    summary = result.summary["throughput_rps"]
    text = units.rate(summary.median)
    if summary.n < 2 or not summary.median:
        return text
    spread = max(summary.high - summary.median, summary.median - summary.low) / summary.median
    return f"{text} ± {100 * spread:.1f} %"


def _bottleneck(result: Result) -> str:
    label = result.bottleneck.label if result.bottleneck else units.ABSENT
    return f"{label}; failed: {result.reason}" if result.status == "failed" else label


def _notes(run: Run, results: Sequence[Result]) -> list[str]:
    """Each explanation once, with its variants; without what several tables share."""
    everywhere = _shared_notes(run)
    holders = _holders(results)
    return [
        f"{_rows([case.split('/')[0] for case in cases], len(results))}: {text}"
        for text, cases in holders.items()
        if text not in everywhere
    ]


def _holders(results: Sequence[Result]) -> dict[str, list[str]]:
    """By explanation, the cases that it holds for."""
    holders: dict[str, list[str]] = {}
    for result in results:
        for text in notes_of(result):
            holders.setdefault(text, []).append(result.case)
    return holders


def _shared_notes(run: Run) -> dict[str, list[str]]:
    """The warnings that stand in the same words under several tables, with their cases."""
    workload = {result.case: result.workload for result in run.results}
    return {
        text: cases
        for text, cases in _holders(run.results).items()
        if len({workload[case] for case in cases}) > 1
    }


def _rows(names: Sequence[str], of_all: int) -> str:
    """Which rows: by their names, where it is not each of several."""
    # one of several loads is named once
    distinct = dict.fromkeys(names)
    if len(names) == of_all and len(distinct) > 1:
        return f"{of_all} of {of_all} rows"
    return ", ".join(distinct)


def host_line(run: Run) -> str:
    """The machine and what kept the roles apart."""
    host = run.host
    wrk = host.load_host.wrk if host.load_host else run.tools.wrk
    h2load = f", h2load {run.tools.h2load}" if run.tools.h2load else ""
    jdks = ", ".join(dict.fromkeys([run.tools.jdk, *run.tools.jdks.values()]))
    return one_line(
        f"{host.cpu_model}, {host.cores} CPUs{_kinds(host)}, "
        f"{units.megabytes(host.memory_bytes)}, "
        f"{host.kernel}; JDK {jdks}, wrk {wrk}{h2load}{_images(run)}; {_roles(host)}"
    )


def _kinds(host: HostInfo) -> str:
    """Of a machine with several kinds of cores the CPUs of each."""
    if not host.core_kinds:
        return ""
    kinds = ("none usable" if not cpus else f"CPU {_cpus(cpus)}" for cpus in host.core_kinds)
    return f" of {len(host.core_kinds)} kinds (fastest first: {'; '.join(kinds)})"


def _roles(host: HostInfo) -> str:
    """The CPUs of each role, and whose they are."""
    limits, load_host = host.limits, host.load_host
    if not limits.server_cpus:
        server = "nothing pinned"
    else:
        server = f"server on CPU {_cpus(limits.server_cpus)}"
    if load_host:
        return (
            f"{server}; wrk on {_cpus(load_host.load_cpus)}, upstream on "
            f"{_cpus(load_host.upstream_cpus)} of another host: {load_host.cpu_model}, "
            f"{load_host.cores} CPUs, {load_host.kernel}, "
            f"{units.milliseconds(load_host.round_trip_s)} there and back, "
            f"{units.megabytes(load_host.link_bytes_per_s)} a second"
        )
    if not limits.server_cpus:
        return server
    return f"{server}, wrk on {_cpus(limits.load_cpus)}, upstream on {_cpus(limits.upstream_cpus)}"


def _images(run: Run) -> str:
    """What made the native images of a run, where that is known."""
    compilers = {fork.build.made_with for result in run.results for fork in result.forks}
    names = sorted(name for name in compilers if name)
    return f", images by {', '.join(names)}" if names else ""


def _cpus(cpus: list[int]) -> str:
    return ",".join(map(str, cpus))


def footnotes(run: Run) -> list[str]:
    """Notes that hold for all tables."""
    notes = [CLOSED_LOOP_NOTE]
    if any(fork.constant_rates for result in run.results for fork in result.forks):
        notes.append(RATE_NOTE)
    if any(len(result.forks) == 1 for result in run.results):
        notes.append(ONE_FORK_NOTE)
    several = _shared_notes(run)
    notes += [f"{_rows(cases, len(run.results))}: {text}" for text, cases in several.items()]
    notes += map(warning_words, run.warnings)
    return list(dict.fromkeys(map(one_line, notes)))
