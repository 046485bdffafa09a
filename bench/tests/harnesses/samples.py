"""Files of other harnesses, made up: as little as each format has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def jmh(**changes: Any) -> dict[str, Any]:
    """A benchmark of two forks with three iterations each."""
    metric = {
        "score": 40.0,
        "scoreError": 2.5,
        "scoreConfidence": [37.5, 42.5],
        "scorePercentiles": {"50.0": 40.0, "99.0": 41.0},
        "scoreUnit": "us/op",
        "rawData": [[38.0, 39.0, 40.0], [40.0, 41.0, 42.0]],
    }
    return {
        "jmhVersion": "1.37",
        "benchmark": "org.example.ParseBench.parse",
        "mode": "avgt",
        "threads": 2,
        "forks": 2,
        "jdkVersion": "25.0.3",
        "warmupIterations": 4,
        "measurementIterations": 3,
        "measurementTime": "10 s",
        "measurementBatchSize": 1,
        "params": {"size": "10"},
        "primaryMetric": {**metric, **changes.pop("metric", {})},
        "secondaryMetrics": {},
        **changes,
    }


def hyperfine(**changes: Any) -> dict[str, Any]:
    """A command that ran three times."""
    return {
        "command": "mvn package",
        "mean": 2.0,
        "stddev": 0.1,
        "median": 2.0,
        "user": 1.5,
        "system": 0.25,
        "min": 1.9,
        "max": 2.1,
        "times": [1.9, 2.0, 2.1],
        "exit_codes": [0, 0, 0],
        **changes,
    }


def k6_summary() -> dict[str, Any]:
    """As handleSummary gets it."""

    def metric(kind: str, contains: str, **values: float) -> dict[str, Any]:
        return {"type": kind, "contains": contains, "values": values}

    return {
        "root_group": {"name": "", "groups": [], "checks": []},
        "options": {"summaryTimeUnit": ""},
        "state": {"testRunDurationMs": 30000.0},
        "metrics": {
            "http_req_duration": metric("trend", "time", **{"avg": 12, "med": 10, "p(95)": 31}),
            "http_req_waiting": metric("trend", "time", avg=11, med=9),
            "http_reqs": metric("counter", "default", count=2000, rate=66.5),
            "http_req_failed": metric("rate", "default", rate=0.25, passes=500, fails=1500),
            "checks": metric("rate", "default", rate=0.75, passes=75, fails=25),
            "vus_max": metric("gauge", "default", value=20, min=20, max=20),
            "answer_size": metric("trend", "data", avg=2048),
            "basket": metric("trend", "default", avg=3),
            "orders": metric("counter", "default", count=5, rate=0.5),
        },
    }


def k6_export() -> dict[str, Any]:
    """The same as `--summary-export` writes it."""
    summary = k6_summary()
    metrics = {name: dict(metric["values"]) for name, metric in summary["metrics"].items()}
    for name in ("http_req_failed", "checks"):
        metrics[name]["value"] = metrics[name].pop("rate")
    metrics["http_req_duration"]["thresholds"] = {"p(95)<500": False}
    return {"root_group": {"name": "", "groups": {}, "checks": {}}, "metrics": metrics}


def k6_machine_readable() -> dict[str, Any]:
    """The same in the machine-readable summary: a list, and the whole duration."""
    metrics = [{"name": name, **metric} for name, metric in k6_summary()["metrics"].items()]
    metrics = [metric for metric in metrics if metric["name"] != "checks"]
    failed = {"matches": 25, "total": 100, "rate": 0.25}
    checks = {"name": "checks_failed", "type": "rate", "contains": "default", "values": failed}
    for row in metrics:
        if row["type"] == "counter":
            del row["values"]["rate"]
    return {
        "version": "1.0.0",
        "config": {"duration": 30.0, "script": "load.js"},
        "metadata": {"k6Version": "1.5.0"},
        "results": {"metrics": metrics, "checks": {"metrics": [checks], "results": []}},
    }


def gatling_stats(name: str = "All Requests", **changes: Any) -> dict[str, Any]:
    """As in js/global_stats.json."""

    def counts(total: float, ko: float = 0) -> dict[str, float]:
        return {"total": total, "ok": total - ko, "ko": ko}

    return {
        "name": name,
        "numberOfRequests": counts(200, 10),
        "meanResponseTime": counts(30),
        "percentiles1": counts(25),
        "percentiles4": counts(90),
        "meanNumberOfRequestsPerSecond": counts(33.25),
        **changes,
    }


def gatling_page(*names: str) -> str:
    """The table of a report: all requests, and requests of a group."""
    heads = ("Total", "OK", "KO", "% KO", "<abbr>Cnt/s</abbr>", "Min", "50th pct", "99th pct")
    head = "".join(
        f'<th id="col-{column}"><span>{words}</span></th>' for column, words in enumerate(heads, 2)
    )
    head += '<th id="col-10"><span>Mean</span></th>'

    def row(row_id: str, parent: str, name: str, values: tuple[str, ...]) -> str:
        cells = "".join(
            f'<td class="value total col-{column}">{value}</td>'
            for column, value in enumerate(values, 2)
        )
        return (
            f'<tr id="{row_id}" data-parent="{parent}"><td class="total col-1"><div>'
            f'<span id="{row_id}" class="expand-button">&nbsp;</span><a href="x.html">'
            f'<span class="ellipsed-name">{name}</span></a>'
            f'<span class="value" style="display:none;">0</span></div></td>{cells}</tr>'
        )

    values = ("200", "190", "10", "5", "33.25", "2", "25", "90", "30")
    rows = "".join(
        row(f"r{index}", "g" if index else "ROOT", n, values) for index, n in enumerate(names)
    )
    return (
        f'<html><table id="container_statistics_head"><thead><tr>{head}</tr></thead><tbody>'
        f"{row('ROOT', '', 'All Requests', values)}</tbody></table>"
        f'<table id="container_statistics_body"><tbody>{row("g", "ROOT", "Shop", values)}{rows}'
        "</tbody></table></html>"
    )


def written(folder: Path, document: Any, name: str = "results.json") -> Path:
    """The file that has it."""
    file = folder / name
    text = document if isinstance(document, str) else json.dumps(document)
    file.write_text(text, encoding="utf-8")
    return file
