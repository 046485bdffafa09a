"""The columns that studies print beside throughput: latencies, bytes, the cold load, rest. Pure."""

from __future__ import annotations

from collections.abc import Callable

from springbench import units
from springbench.report.markdown import escape, table_lines
from springbench.results.run import Result, Run
from springbench.untrusted import one_line

LEFT_ALIGNED = {"case"}
NOTE = "medians over the forks; what was not taken has its reason in `missing` of run.json."


def _count(value: float | None) -> str:
    return units.ABSENT if value is None else f"{value:,.0f}"


def _kib_per_s(value: float | None) -> str:
    return units.ABSENT if value is None else f"{value / 1024:,.1f}"


def _small_share(value: float | None) -> str:
    return units.share(value, 2)


_COLUMNS: dict[str, tuple[str, Callable[[float | None], str]]] = {
    "mean": ("latency_mean_s", units.milliseconds),
    "min": ("latency_min_s", units.milliseconds),
    "max": ("latency_max_s", units.milliseconds),
    "std dev": ("latency_stdev_s", units.milliseconds),
    "errors": ("error_ratio", units.share),
    "KiB/s in": ("received_bytes_per_s", _kib_per_s),
    "KiB/s out": ("sent_bytes_per_s", _kib_per_s),
    "B/resp": ("bytes_per_response", _count),
    "compiling": ("compiler_cpu_ratio", _small_share),
    "host work": ("host_work_s", units.milliseconds),
    "alloc/req": ("allocated_bytes_per_request", units.kibibytes),
    "cold req/s": ("cold_throughput_rps", units.rate),
    "cold mean": ("cold_latency_mean_s", units.milliseconds),
    "cold p99": ("cold_latency_p99_s", units.milliseconds),
    "first 200": ("startup_s", units.seconds),
    "started in": ("started_in_s", units.seconds),
    "idle mem": ("memory_idle_bytes", units.megabytes),
    "idle PSS": ("memory_idle_pss_bytes", units.megabytes),
    "idle heap": ("heap_used_idle_bytes", units.megabytes),
    "idle threads": ("threads_idle", _count),
    "mem after": ("memory_after_bytes", units.megabytes),
    "heap after": ("heap_used_after_bytes", units.megabytes),
    "threads after": ("threads_after", _count),
    "GCs": ("gc_count_after", _count),
    "GC time": ("gc_pause_after_s", units.seconds),
    "artifact": ("artifact_bytes", units.megabytes),
    "build": ("build_s", units.seconds),
}
COLUMNS = ("case", *_COLUMNS)


def rows(run: Run) -> list[tuple[str, ...]]:
    """A row for each case that was measured, in the order of the run."""
    return [_row(result) for result in run.results if result.summary]


def render(run: Run) -> str:
    """As Markdown."""
    lines = [f"# Details: {escape(run.run.id)}", ""]
    lines += table_lines(COLUMNS, rows(run), LEFT_ALIGNED)
    return "\n".join([*lines, "", escape(NOTE)]) + "\n"


def _row(result: Result) -> tuple[str, ...]:
    summary = result.summary

    def shown(metric: str, form: Callable[[float | None], str]) -> str:
        return form(summary[metric].median if metric in summary else None)

    return (one_line(result.case), *(shown(*column) for column in _COLUMNS.values()))
