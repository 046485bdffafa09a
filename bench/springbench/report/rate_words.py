"""Metrics of a load at a constant rate, in words. Pure."""

from __future__ import annotations

from springbench.matrix.profiles import RATE_SHARES
from springbench.results.metrics import rate_metric

_FIGURES = {
    "latency_p50_s": "p50",
    "latency_p99_s": "p99",
    "latency_p999_s": "p99.9",
    "cpu_per_request_s": "CPU per request",
}
# by the name of the metric: the figure, and the rate
_NAMES = {
    rate_metric(share, name): (figure, f"at {share.replace('-', ' ')} of capacity")
    for share in RATE_SHARES
    for name, figure in _FIGURES.items()
}
RATE_NAMES = {metric: f"{figure} {rate}" for metric, (figure, rate) in _NAMES.items()}


def grown_at_rate(metric: str, size: str, *, grown: bool) -> str | None:
    """How a case has changed: `take 8 % longer at p99, at half of capacity`; else None."""
    if metric not in _NAMES:
        return None
    figure, rate = _NAMES[metric]
    if figure.startswith("CPU"):
        return f"take {size} {'more' if grown else 'less'} {figure}, {rate}"
    return f"take {size} {'longer' if grown else 'less long'} at {figure}, {rate}"
