"""The registry of metrics: each is declared here once, and every list of metrics derives from it.

A declaration says what a metric is, how it is read from a fork, how a comparison and the finder
take it, what it is called, and where it is shown. `bench/schema/metrics.json` and
`site/src/generated/metrics.ts` are generated from this module, so the page has no list of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, NamedTuple

from springbench import units
from springbench.matrix.profiles import CAPACITY_PERCENTS, CapacityPercent
from springbench.results.base import Record
from springbench.results.records import (
    BuildRecord,
    ColdRecord,
    ConstantRateRecord,
    ForkRecord,
    IdleRecord,
    LoadRecord,
    StartupRecord,
)

Better = Literal["higher", "lower"]
Unit = Literal["s", "bytes", "rps", "ratio", "count", "bytes_per_s"]
# of what is published, which stays small
HistoryUnit = Literal["s", "bytes", "rps", "ratio", "count"]
# what a pair must go through to show a metric: only a start, some load, or the loads of the case
Stage = Literal["start", "load", "case"]
# the profile that can explain a change: of CPU time, or of allocation
Profiled = Literal["cpu", "alloc"]
# what must be there for a figure of a load: I/O counters of processes, a log of collections, enough
# of them in the window, threads of a JIT compiler, CPUs of the server's own, a list of connections
# statements that a database counts
Source = Literal[
    "io-counters", "gc-log", "collections", "compilers", "cpus", "connections", "statements"
]
# of the terminal: the main table, --details, loads at a constant rate, `history`, `releases`;
# of the page: footprint, a run, scaling
View = Literal["table", "details", "rates", "series", "releases", "footprint", "run", "scaling"]
PAGE_VIEWS: tuple[View, ...] = ("footprint", "run", "scaling")


Read = Callable[[ForkRecord], float | None]
# how a column shows its values
Form = Callable[[float | None], str]


class Effect(NamedTuple):
    """How large a change must be to matter, and how narrow an interval to say that there is none;
    both as ratios."""

    notable: float
    equivalent: float


USUAL_EFFECT = Effect(notable=0.03, equivalent=0.05)
# of what is mostly a delay by design: it hardly varies, so one in a hundred is plain to see
DELAY_EFFECT = Effect(notable=0.01, equivalent=0.02)
# of calls of the kernel: one query more is a fifth of five, and a wake-up less is nothing
CALLS_EFFECT = Effect(notable=0.1, equivalent=0.1)


class Label(NamedTuple):
    """The name of a metric on the page."""

    en: str
    zh: str


class Phrases(NamedTuple):
    """What a case does whose metric has grown, or shrunk, by `{size}`: `take 8 % more memory`."""

    grown: str
    shrunk: str


class Noise(NamedTuple):
    """Of log(head ÷ base) from pair to pair, where builds are identical: what is taken until the
    pairs themselves tell; None where a comparison does not evaluate the metric. From 24 recorded
    pairs (`evaluation/recorded`) and some 40 later ones, on two-core guests; more on a disturbed
    one."""

    busy: float | None = None
    """Of cases that the CPU bounds."""
    waiting: float | None = None
    """Of cases whose requests wait by design."""
    optimised: float | None = None
    """Of both, where the optimising compiler (C2) works too and makes processes differ by more:
    what it inlines varies. From 32 comparisons of two to five pairs."""

    def usual(self, *, waits: bool, optimised: bool) -> float | None:
        """That of a case."""
        known = self.waiting if waits else self.busy
        return self.optimised if optimised and known is not None and self.optimised else known


class Chart(NamedTuple):
    """The list for github-action-benchmark that has the metric, in the unit that its reader
    expects: so many (`factor`) of the base unit."""

    file: Literal["throughput.json", "costs.json"]
    unit: str
    factor: float


@dataclass(frozen=True, eq=False, kw_only=True)
class Metric:
    """A number that every fork has, or lacks for a reason. Names are for ever: histories have them.

    Views list their metrics in ascending order of the number that stands with the view.
    """

    name: str
    unit: Unit
    read: Read
    description: str
    better: Better = "lower"
    published: bool = False
    """Whether the history has it."""
    term: str | None = None
    """In a sentence or a table: `CPU per request`."""
    label: Label | None = None
    """On the page; None where the page does not show it."""
    head: str = ""
    """Of a narrow column in the terminal."""
    form: Form | None = None
    """As a cell of the terminal, in one unit for the whole column; None: as its unit has it."""
    phrases: Phrases | None = None
    importance: int | None = None
    """The place among all that a sentence names: what people notice first has the least."""
    views: Mapping[View, int] = field(default_factory=dict)
    noise: Noise | None = None
    stage: Stage = "case"
    in_pairs: bool = True
    """Whether the sides of a pair have it too, and not runs alone."""
    mostly_delay: bool = False
    """Whether the greater part is a delay where requests wait by design: smaller changes matter."""
    usual_effect: Effect = USUAL_EFFECT
    """How large a change matters in all other cases."""
    minimum_ratio: float | None = None
    """The least change that the finder of change points looks for; None: it does not look. Ratios
    to zero (errors), what a closed loop hides (p99) and what another metric says better are left to
    comparisons."""
    source: Source | None = None
    """What a fork may lack it for: `measure/missing.py` has the reasons."""
    profiled: Profiled | None = None
    of_capacity: bool = False
    """Whether it says nothing of a server where something else was the bottleneck."""
    closed_loop: bool = False
    """Whether the load generator waits for an answer before it asks again, which hides delays."""
    per_connection: bool = False
    """Whether it tells of a server only once each connection has had several answers
    (`LoadRecord.is_long`)."""
    explains: bool = False
    """Whether it only says why other numbers are as they are."""
    silent_at_zero: bool = False
    """Whether zero everywhere is worth no column."""
    chart: Chart | None = None
    reported: bool = False
    """Whether another harness has measured it: then it says what kind of figure a series is of."""
    capacity_percent: CapacityPercent | None = None
    """Of a metric at a constant rate, in percent of the capacity; `figure` is its name there."""
    figure: str | None = None

    def effect(self, *, waits: bool) -> Effect:
        """How large a change matters; `waits`: requests of the case wait by design."""
        return DELAY_EFFECT if waits and self.mostly_delay else self.usual_effect

    def cell(self, value: float | None) -> str:
        """A value in a column of the terminal; a dash where there is none."""
        return (self.form or _FORMS[self.unit])(value)


def _field_reader(part: str, record: type[Record], name: str) -> Read:
    assert name in record.model_fields, name  # noqa: S101 - a slip here is a slip in the code
    return lambda fork: getattr(getattr(fork, part), name) if getattr(fork, part) else None


_load = partial(_field_reader, "load", LoadRecord)
_cold = partial(_field_reader, "cold", ColdRecord)
_idle = partial(_field_reader, "idle", IdleRecord)
_after = partial(_field_reader, "after", IdleRecord)
_startup = partial(_field_reader, "startup", StartupRecord)
_build = partial(_field_reader, "build", BuildRecord)


def _at(percent: CapacityPercent, name: str) -> Read:
    """Of the load at that constant rate, where its figures count."""
    assert name in ConstantRateRecord.model_fields, name  # noqa: S101 - as above
    return lambda fork: next(
        (
            getattr(at, name)
            for at in fork.constant_rates
            if at.capacity_percent == percent and at.counts
        ),
        None,
    )


def rate_metric(percent: CapacityPercent, name: str) -> str:
    """Name of a metric at a constant rate: `open_loop_50_latency_p99_s`."""
    return f"open_loop_{percent}_{name}"


def _number(form: str, factor: float = 1.0) -> Form:
    """Plain numbers, in so many of the base unit."""
    return lambda value: units.ABSENT if value is None else format(value * factor, form)


_count = _number(",.0f")
_FORMS: Mapping[Unit, Form] = {
    "rps": units.rate,
    "s": units.milliseconds,
    "bytes": units.megabytes,
    "ratio": units.share,
    "count": _count,
    "bytes_per_s": _number(",.1f", 1 / 1024),
}


def _more(what: str, verb: str = "take") -> Phrases:
    return Phrases(f"{verb} {{size}} more {what}", f"{verb} {{size}} less {what}")


def _longer(at: str) -> Phrases:
    return Phrases(f"take {{size}} longer at {at}", f"take {{size}} less long at {at}")


_published = partial(Metric, published=True)
_PUBLISHED = (
    _published(
        name="throughput_rps",
        unit="rps",
        better="higher",
        read=_load("throughput_rps"),
        description="answers with status 200 in a second of the window",
        term="throughput",
        label=Label("Throughput", "吞吐量"),
        head="req/s",
        phrases=Phrases("{size} faster", "{size} slower"),
        importance=1,
        views={"table": 1, "series": 1, "releases": 1, "run": 1, "scaling": 1},
        # 1.9 % on one host, 3.9 % on another; where requests wait, 0.2 % in 38 pairs of one build
        # with 1,000 connections that begin apart
        noise=Noise(busy=0.03, waiting=0.003),
        mostly_delay=True,
        minimum_ratio=0.02,
        profiled="cpu",
        of_capacity=True,
        chart=Chart("throughput.json", "req/s", 1),
    ),
    _published(
        name="latency_p50_s",
        unit="s",
        read=_load("latency_p50_s"),
        description="median latency",
        term="p50",
        label=Label("Latency p50 *", "p50 延迟 *"),
        head="p50",
        views={"table": 2, "run": 2},
        closed_loop=True,
    ),
    _published(
        name="latency_p99_s",
        unit="s",
        read=_load("latency_p99_s"),
        description="latency that 99 % of the answers do not exceed",
        term="p99",
        label=Label("Latency p99 *", "p99 延迟 *"),
        head="p99",
        phrases=_longer("p99"),
        importance=6,
        views={"table": 3, "run": 3, "scaling": 2},
        # 2.1 % in the 38 pairs
        noise=Noise(waiting=0.04, optimised=0.1),
        closed_loop=True,
    ),
    _published(
        name="error_ratio",
        unit="ratio",
        read=_load("error_ratio"),
        description="failed requests, of those that were attempted",
        term="errors",
        label=Label("Errors", "错误率"),
        head="errors",
        views={"details": 5, "run": 6},
        silent_at_zero=True,
    ),
    _published(
        name="cpu_per_request_s",
        unit="s",
        read=_load("cpu_per_request_s"),
        description="CPU time of the server for an answer, without JIT compilation",
        source="io-counters",
        term="CPU per request",
        label=Label("CPU per request", "每请求 CPU 时间"),
        head="CPU/req",
        form=units.microseconds,
        phrases=_more("CPU per request"),
        importance=2,
        views={"table": 4, "series": 2, "releases": 2, "footprint": 5, "run": 7},
        # beside throughput: background load slows a server without making it work
        noise=Noise(busy=0.03, waiting=0.18),
        minimum_ratio=0.02,
        profiled="cpu",
        of_capacity=True,
        chart=Chart("costs.json", "µs", 1e6),
    ),
    _published(
        name="memory_peak_bytes",
        unit="bytes",
        read=_load("memory_peak_bytes"),
        description="largest resident memory of the process under load",
        term="peak memory",
        label=Label("Peak memory", "内存峰值"),
        head="peak mem",
        phrases=_more("memory at its peak"),
        importance=3,
        views={"table": 5, "footprint": 3, "run": 8, "scaling": 3},
        # 1.4 % on one host, 3.2 % on another; one pair in seven is off by 6 to 11 %
        noise=Noise(busy=0.05, waiting=0.05),
        stage="load",
        minimum_ratio=0.05,
        chart=Chart("costs.json", "MiB", 1 / (1 << 20)),
    ),
    _published(
        name="threads_max",
        unit="count",
        read=_load("threads_max"),
        description="largest number of the kernel's threads under load",
        term="threads",
        label=Label("Threads", "线程数"),
        phrases=Phrases("keep {size} more threads", "keep {size} fewer threads"),
        importance=9,
        views={"footprint": 4, "run": 10},
        noise=Noise(busy=0.03, waiting=0.03),
        stage="load",
        minimum_ratio=0.05,
    ),
    _published(
        name="unanswered_ratio",
        unit="ratio",
        read=_load("unanswered_ratio"),
        description="open connections that got no answer at all, of all",
        term="connections without an answer",
        label=Label("Connections without an answer", "未获响应的连接占比"),
        views={"run": 5},
        per_connection=True,
        silent_at_zero=True,
    ),
    _published(
        name="fairness",
        unit="ratio",
        better="higher",
        read=_load("fairness"),
        description="how evenly connections were served (Jain's index): 1 where all had as much",
        term="fairness to connections",
        label=Label("Fairness to connections", "连接间公平性"),
        per_connection=True,
    ),
    _published(
        name="gc_pause_ratio",
        unit="ratio",
        read=_load("gc_pause_ratio"),
        description="share of the window in GC pauses",
        source="gc-log",
        term="GC pauses",
        label=Label("Time in collector pauses", "GC 暂停时间占比"),
        views={"footprint": 6},
    ),
    _published(
        name="startup_s",
        unit="s",
        read=_startup("first_200_s"),
        description="from the start of the process to its first answer with status 200",
        term="startup",
        label=Label("Startup", "启动时间"),
        head="startup",
        form=units.seconds,
        phrases=Phrases("take {size} longer to start", "start {size} sooner"),
        importance=5,
        views={"table": 6, "details": 15, "releases": 3, "footprint": 1, "run": 11},
        noise=Noise(busy=0.15, waiting=0.15),
        stage="start",
        minimum_ratio=0.05,
        chart=Chart("costs.json", "s", 1),
    ),
    _published(
        name="memory_idle_bytes",
        unit="bytes",
        read=_idle("rss_bytes"),
        description="resident memory after the first answer, before any load",
        term="memory at idle",
        label=Label("Idle memory", "空闲内存"),
        head="idle mem",
        phrases=_more("memory at idle"),
        importance=4,
        views={"details": 17, "releases": 4, "footprint": 2, "run": 9},
        noise=Noise(busy=0.005, waiting=0.005, optimised=0.03),
        stage="start",
        minimum_ratio=0.05,
    ),
    _published(
        name="server_cpu_ratio",
        unit="ratio",
        read=_load("server_cpu_ratio"),
        description="share of the server's CPUs in use",
        source="io-counters",
        label=Label("Server CPU", "服务器 CPU"),
        head="server CPU",
        explains=True,
    ),
    _published(
        name="load_cpu_ratio",
        unit="ratio",
        read=_load("load_cpu_ratio"),
        description="share of the load generator's CPUs in use",
        source="io-counters",
        label=Label("Load generator CPU", "压测端 CPU"),
        explains=True,
    ),
    _published(
        name="compiler_cpu_ratio",
        unit="ratio",
        read=_load("compiler_cpu_ratio"),
        description="share of the server's CPUs that JIT compilation had",
        source="compilers",
        label=Label("Compilers’ share of the CPU", "编译器的 CPU 占比"),
        head="compiling",
        form=partial(units.share, digits=2),
        views={"details": 9},
        explains=True,
    ),
)


@dataclass(frozen=True, kw_only=True)
class _RateFigure:
    """A figure of the loads at constant rates: a metric at each rate."""

    name: str
    head: str
    description: str
    column: int | None = None
    label: Label | None = None
    noise: Noise | None = None
    minimum_ratio: float | None = None
    published: bool = False


# Usual spreads at half of the capacity; the rate is the same for both sides. Those of busy servers
# are of 51 pairs of loads of identical builds on two cores (of p50 and CPU time without Undertow's,
# 38): how many collections fall into two seconds is chance.
_P50 = _RateFigure(
    name="latency_p50_s",
    head="p50",
    description="median latency",
    column=1,
    label=Label("Latency p50", "p50 延迟"),
    noise=Noise(busy=0.08, waiting=0.002),
    minimum_ratio=0.05,
    published=True,
)
_P99 = _RateFigure(
    name="latency_p99_s",
    head="p99",
    description="latency that 99 % of the answers do not exceed",
    column=3,
    label=Label("Latency p99", "p99 延迟"),
    noise=Noise(busy=0.7, waiting=0.01),
    minimum_ratio=0.10,
    published=True,
)
_CPU = _RateFigure(
    name="cpu_per_request_s",
    head="CPU/req",
    description="CPU time of the server for an answer, without JIT compilation",
    column=6,
    label=Label("CPU per request", "每请求 CPU 时间"),
    noise=Noise(busy=0.06, waiting=0.13),
    minimum_ratio=0.02,
    published=True,
)
_MEAN = _RateFigure(name="latency_mean_s", head="mean", description="mean latency")
_P90 = _RateFigure(
    name="latency_p90_s",
    head="p90",
    description="latency that 90 % of the answers do not exceed",
    column=2,
)
_P999 = _RateFigure(
    name="latency_p999_s",
    head="p99.9",
    description="latency that 99.9 % of the answers do not exceed",
    column=4,
    label=Label("Latency p99.9", "p99.9 延迟"),
    noise=Noise(busy=0.6, waiting=0.015),
)
_MAX = _RateFigure(
    name="latency_max_s", head="max", description="largest latency of an answer", column=5
)


def _at_rates(*figures: _RateFigure) -> Iterator[Metric]:
    """Their metrics at each rate; latencies count from when a request was due."""
    for percent in CAPACITY_PERCENTS:
        at = f"{percent} % of capacity"
        for figure in figures:
            is_latency = figure.name.startswith("latency")
            what = figure.head if is_latency else "CPU per request"
            evaluated, label = figure.noise is not None, figure.label
            phrases = _longer(what) if is_latency else _more(what)
            yield Metric(
                name=rate_metric(percent, figure.name),
                unit="s",
                read=_at(percent, figure.name),
                description=f"{figure.description}, at a constant rate of {at}",
                published=figure.published,
                term=f"{what} at {at}" if evaluated else None,
                label=Label(f"{label.en} at {at}", f"{percent} % 容量下的{_apart(label.zh)}")
                if label
                else None,
                head=figure.head,
                form=units.milliseconds if is_latency else units.microseconds,
                phrases=Phrases(*(f"{phrase}, at {at}" for phrase in phrases))
                if evaluated
                else None,
                importance=8 if evaluated else None,
                views={
                    **({"rates": figure.column} if figure.column else {}),
                    **({"run": 4} if percent == CAPACITY_PERCENTS[0] and figure is _P99 else {}),
                },
                noise=figure.noise,
                # of a delay each latency is the greater part
                mostly_delay=is_latency,
                # nearer to capacity chance makes queues
                minimum_ratio=figure.minimum_ratio if percent == CAPACITY_PERCENTS[0] else None,
                # what takes longer at a rate that is the same for both mostly works longer
                profiled="cpu" if evaluated else None,
                capacity_percent=percent,
                figure=figure.name,
            )


def _apart(chinese: str) -> str:
    """With a space before letters and digits, as they are set there."""
    return f" {chinese}" if chinese[0].isascii() else chinese


def _plain(
    name: str,
    unit: Unit,
    description: str,
    at: int | None = None,
    head: str = "",
    *,
    read: Read | None = None,
    better: Better = "lower",
    form: Form | None = None,
    source: Source | None = None,
) -> Metric:
    """What a study looks at, and nobody follows over commits: of the window, unless it is read
    elsewhere. `at`: its place in --details."""
    return Metric(
        name=name,
        unit=unit,
        better=better,
        read=read or _load(name),
        description=description,
        head=head,
        form=form,
        views={"details": at} if at else {},
        source=source,
    )


def _of_cold(
    name: str,
    unit: Unit,
    description: str,
    at: int | None = None,
    head: str = "",
    *,
    better: Better = "lower",
) -> Metric:
    first = f"{description}, of the first load of a fresh process"
    return _plain(f"cold_{name}", unit, first, at, head, read=_cold(name), better=better)


_ALLOCATION = Metric(
    name="allocated_bytes_per_request",
    unit="bytes",
    read=_load("allocated_bytes_per_request"),
    description="heap that an answer allocates",
    source="collections",
    term="allocated per request",
    label=Label("Allocated per request", "每请求分配的内存"),
    head="alloc/req",
    form=units.kibibytes,
    phrases=Phrases("allocate {size} more for a request", "allocate {size} less for a request"),
    importance=7,
    views={"details": 11},
    # C2 saves some processes of Tomcat 11 14 % of it: 0.11 there, and 0.015 on other servers
    noise=Noise(busy=0.02, waiting=0.02, optimised=0.1),
    profiled="alloc",
)


def _calls(kind: Literal["reads", "writes"], zh: str, importance: int, at: int) -> Metric:
    return Metric(
        name=f"{kind}_per_request",
        unit="count",
        read=_load(f"{kind}_per_request"),
        description=f"{kind} of files and sockets for an answer, as calls of the kernel",
        source="io-counters",
        term=f"{kind} per request",
        label=Label(f"{kind.capitalize()} per request", zh),
        head=f"{kind}/req",
        form=_number(",.1f"),
        phrases=Phrases(
            f"make {{size}} more {kind} for a request", f"make {{size}} fewer {kind} for a request"
        ),
        importance=importance,
        views={"details": at},
        # Where requests wait, how many answers a call takes changes from pair to pair by a fifth:
        # what can never be decided only makes the rest less certain.
        noise=Noise(busy=0.05),
        usual_effect=CALLS_EFFECT,
    )


# A query that lacks its index costs the database, and the service next to nothing.
_SERVICES_CPU = Metric(
    name="services_cpu_per_request_s",
    unit="s",
    read=_load("services_cpu_per_request_s"),
    description="CPU time of the declared services, like a database, for an answer",
    term="CPU of its services per request",
    label=Label("CPU of services per request", "所依赖服务的每请求 CPU 时间"),
    head="services' CPU/req",
    form=units.microseconds,
    phrases=Phrases(
        "make its services use {size} more CPU for a request",
        "make its services use {size} less CPU for a request",
    ),
    importance=10,
    views={"details": 43},
    noise=Noise(busy=0.05),
)

# fmt: off
_CPUS = (
    replace(
        _plain("time_to_peak_s", "s", "from the start of the process, loaded from its first "
               "answer on, until its throughput is within 5 % of that of the window", 28, "to peak",
               form=units.seconds),
        term="time to peak",
        label=Label("Time to peak", "达到峰值所需时间"),
    ),
    replace(
        _plain("requests_lost_to_peak", "count", "requests that the throughput of the window "
               "would have answered until then, and the process did not", 29, "lost to peak"),
        term="requests lost to peak",
        label=Label("Requests lost to peak", "达到峰值前少响应的请求"),
    ),
    replace(
        _plain("throttled_ratio", "ratio",
               "periods of the window in which the CPU quota was used up, of all", 30, "throttled",
               read=lambda fork: fork.load.throttled_ratio if fork.load else None),
        term="throttled periods",
        label=Label("Throttled periods", "被限流的周期占比"),
    ),
    _plain("server_cpus", "count", "CPUs that the server was pinned to", better="higher"),
    _plain("cpu_quota", "count", "CPU quota that the server was held to, in CPUs", better="higher",
           form=_number("g")),
    _plain("cpu_periods", "count", "periods of the CPU quota in the window", better="higher"),
    _plain("throttled_periods", "count", "those of them in which it was used up"),
    _plain("throttled_s", "s", "time in which CPUs waited for the next period, together"),
)
_DETAILS = (
    _plain("latency_min_s", "s", "smallest latency", 2, "min"),
    _plain("latency_mean_s", "s", "mean latency", 1, "mean"),
    _plain("latency_stdev_s", "s", "standard deviation of latencies", 4, "std dev"),
    _plain("latency_max_s", "s", "largest latency", 3, "max"),
    _plain("received_bytes_per_s", "bytes_per_s", "bytes received in a second", 6, "KiB/s in",
           better="higher"),
    _plain("sent_bytes_per_s", "bytes_per_s", "bytes sent in a second", 7, "KiB/s out",
           better="higher"),
    _plain("bytes_per_response", "bytes", "mean size of an answer with its headers", 8, "B/resp",
           form=_count),
    _plain("server_cpu_peak_ratio", "ratio", "largest share of the server's CPUs in use",
           source="io-counters"),
    _plain("heap_after_gc_bytes", "bytes", "smallest heap after a collection of the window",
           source="collections"),
    _ALLOCATION,
    _SERVICES_CPU,
    _calls("reads", "每请求读调用", 11, 40),
    _calls("writes", "每请求写调用", 12, 41),
    _plain("queries_per_request", "count",
           "statements of the database for an answer, without those that control transactions", 42,
           "queries/req", form=_number(",.1f"), source="statements"),
    _plain("connections_accepted", "count", "connections that the server accepted", better="higher",
           source="connections"),
    _plain("calibration_probe_s", "s", "CPU time of a fixed piece of work on the server's CPUs", 10,
           "calibration probe", source="cpus"),
    replace(
        _of_cold("throughput_rps", "rps", "answers in a second", 12, "cold req/s",
                 better="higher"),
        term="throughput of the first load",
        label=Label("Throughput of the first load", "首次负载的吞吐量"),
        phrases=Phrases("{size} faster under the first load", "{size} slower under the first load"),
        importance=13,
        # of the process, as its start is: what limits the window later says nothing of it
        stage="start",
        in_pairs=False,
        # assumed, twice that of a warm process: few have been measured, and what compiles when
        # differs from process to process
        noise=Noise(busy=0.06, waiting=0.06),
    ),
    _of_cold("error_ratio", "ratio", "failed requests, of those attempted"),
    _of_cold("latency_min_s", "s", "smallest latency"),
    _of_cold("latency_mean_s", "s", "mean latency", 13, "cold mean"),
    _of_cold("latency_stdev_s", "s", "standard deviation of latencies"),
    _of_cold("latency_p99_s", "s", "latency that 99 % of the answers do not exceed", 14,
             "cold p99"),
    _of_cold("latency_max_s", "s", "largest latency"),
    _of_cold("received_bytes_per_s", "bytes_per_s", "bytes received in a second", better="higher"),
    _of_cold("sent_bytes_per_s", "bytes_per_s", "bytes sent in a second", better="higher"),
    _of_cold("bytes_per_response", "bytes", "mean size of an answer with its headers"),
    _plain("started_in_s", "s", "duration of the start by the server's own log", 16, "started in",
           form=units.seconds, read=_startup("started_in_s")),
    _plain("memory_idle_pss_bytes", "bytes",
           "memory before any load; pages of several processes count in part", 18, "idle PSS",
           read=_idle("pss_bytes")),
    _plain("heap_committed_idle_bytes", "bytes", "heap committed before any load",
           read=_idle("heap_committed_bytes")),
    _plain("heap_used_idle_bytes", "bytes", "heap in use before any load", 19, "idle heap",
           read=_idle("heap_used_bytes")),
    _plain("heap_max_bytes", "bytes", "largest heap that the JVM allows",
           read=_idle("heap_max_bytes")),
    _plain("threads_idle", "count", "live Java threads before any load, virtual ones left out", 20,
           "idle threads", read=_idle("threads_live")),
    _plain("threads_started_idle", "count", "Java threads started before any load",
           read=_idle("threads_started")),
    _plain("gc_count_idle", "count", "collections before any load", read=_idle("gc_count")),
    _plain("gc_pause_idle_s", "s", "time in GC pauses before any load", read=_idle("gc_pause_s")),
    _plain("memory_after_bytes", "bytes", "resident memory after the load", 21, "mem after",
           read=_after("rss_bytes")),
    _plain("memory_after_pss_bytes", "bytes",
           "memory after the load; pages of several processes count in part",
           read=_after("pss_bytes")),
    _plain("heap_committed_after_bytes", "bytes", "heap committed after the load",
           read=_after("heap_committed_bytes")),
    _plain("heap_used_after_bytes", "bytes", "heap in use after the load", 22, "heap after",
           read=_after("heap_used_bytes")),
    _plain("threads_after", "count", "live Java threads after the load, virtual ones left out", 23,
           "threads after", read=_after("threads_live")),
    _plain("threads_started_after", "count", "Java threads started until after the load",
           read=_after("threads_started")),
    _plain("gc_count_after", "count", "collections until after the load", 24, "GCs",
           read=_after("gc_count")),
    _plain("gc_pause_after_s", "s", "time in GC pauses until after the load", 25, "GC time",
           form=units.seconds, read=_after("gc_pause_s")),
    _plain("artifact_bytes", "bytes", "size of the file that is started", 26, "artifact",
           read=_build("artifact_bytes")),
    _plain("build_s", "s", "duration of the build that made it", 27, "build", form=units.seconds,
           read=_build("build_s")),
)
# fmt: on


def _not_read(_: ForkRecord) -> None:
    """No fork has it: another harness has measured."""


def _reported(
    name: str,
    unit: Unit,
    better: Better,
    description: str,
    label: Label,
    least: float | None,
    at: int,
) -> Metric:
    return Metric(
        name=f"reported_{name}",
        unit=unit,
        better=better,
        read=_not_read,
        description=f"{description}, as another harness reports it",
        published=True,
        reported=True,
        term=label.en[0].lower() + label.en[1:],
        label=label,
        minimum_ratio=least,
        views={"run": at},
    )


# figures of other harnesses, one a series: which benchmark and figure it is, the case says
REPORTED_TIME = _reported("time_s", "s", "lower", "time", Label("Time", "时间"), 0.05, 20)
REPORTED_RATE = _reported(
    "rate_rps", "rps", "higher", "work in a second", Label("Rate", "速率"), 0.05, 21
)
REPORTED_BYTES = _reported(
    "size_bytes", "bytes", "lower", "bytes for a piece of work", Label("Bytes", "字节数"), 0.02, 22
)
REPORTED_COUNT = _reported(
    "count", "count", "lower", "events for a piece of work", Label("Count", "计数"), 0.05, 23
)
REPORTED_RATIO = _reported(
    "failed_ratio", "ratio", "lower", "share that failed", Label("Failed", "失败占比"), None, 24
)
REPORTED = (REPORTED_TIME, REPORTED_RATE, REPORTED_BYTES, REPORTED_COUNT, REPORTED_RATIO)
METRICS: tuple[Metric, ...] = (
    *_PUBLISHED,
    *_at_rates(_P50, _P99, _CPU),
    *_DETAILS,
    *_CPUS,
    *_at_rates(_MEAN, _P90, _P999, _MAX),
    *REPORTED,
)
HISTORY_METRICS = tuple(metric for metric in METRICS if metric.published)
BY_NAME = {metric.name: metric for metric in METRICS}
IMPORTANCE = tuple(
    metric.name
    for metric in sorted(METRICS, key=lambda metric: metric.importance or 0)
    if metric.importance is not None
)
"""Names of the metrics that sentences name, first what people notice first."""


def importance(metric: str) -> int:
    """The place of a metric among all: what people notice first is 0."""
    return IMPORTANCE.index(metric) if metric in IMPORTANCE else len(IMPORTANCE)


def metrics_in(view: View) -> tuple[Metric, ...]:
    """The metrics of a view, in its order."""
    return tuple(sorted((m for m in METRICS if view in m.views), key=lambda m: m.views[view]))


def registry() -> dict[str, object]:
    """For a file: every metric, and what the page needs of those that it shows."""
    return {"metrics": [_row(metric) for metric in METRICS]}


def _row(metric: Metric) -> dict[str, object]:
    row: dict[str, object] = {
        "name": metric.name,
        "unit": metric.unit,
        "better": metric.better,
        "description": metric.description,
        "published": metric.published,
    }
    if metric.label is None:
        return row
    return {
        **row,
        "label": metric.label._asdict(),
        "views": {view: at for view, at in metric.views.items() if view in PAGE_VIEWS},
        "explains": metric.explains,
        "mostly_delay": metric.mostly_delay,
        "silent_at_zero": metric.silent_at_zero,
        "reported": metric.reported,
    }
