"""hyperfine's `--export-json`: commands with the time of each run, in seconds."""

from __future__ import annotations

import statistics
from typing import Any

from springbench.harnesses.measurement import (
    Measurement,
    NoResultError,
    Results,
    number_in,
    numbers,
    text_in,
    texts_in,
)
from springbench.results.metrics import REPORTED_BYTES, REPORTED_TIME

CONFIGURATION = "hyperfine"
# names of the file, and what people call them; the first is the one with a value of each run
_TIMES = {"mean": "time", "user": "user time", "system": "system time"}


def accepts(document: Any) -> bool:
    """Whether a document is of hyperfine."""
    results = document.get("results") if isinstance(document, dict) else None
    return isinstance(results, list) and all(
        isinstance(each, dict) and "command" in each for each in results
    )


def read(document: dict[str, Any]) -> Results:
    """The commands of a file. One of which a run failed is left out."""
    results = Results()
    for place, each in enumerate(document["results"]):
        try:
            results.found += _command(each)
        except NoResultError as error:
            results.leave_out(str(each.get("command") or f"command {place + 1}"), str(error))
    return results


def _command(of: dict[str, Any]) -> list[Measurement]:
    _check_exit_codes(of.get("exit_codes"))
    runs = {"mean": list(numbers(of.get("times")))}
    found = [
        _measurement(of, figure, number_in(of, name), runs.get(name, []))
        for name, figure in _TIMES.items()
        if name == "mean" or name in of
    ]
    if memory := list(numbers(of.get("memory_usage_byte"))):
        found.append(_measurement(of, "peak memory", statistics.fmean(memory), memory, "B"))
    return found


def _measurement(
    of: dict[str, Any], figure: str, value: float, values: list[float], unit: str = "s"
) -> Measurement:
    return Measurement(
        benchmark=text_in(of, "command"),
        figure=figure,
        metric=REPORTED_TIME if unit == "s" else REPORTED_BYTES,
        unit=unit,
        value=value,
        values=values,
        parameters=texts_in(of, "parameters"),
        configuration=CONFIGURATION,
    )


def _check_exit_codes(codes: Any) -> None:
    """A run that failed may have ended early, and its time says nothing."""
    found = codes if isinstance(codes, list) else []
    failed = [code for code in found if code != 0]
    if failed:
        ends = {"by a signal" if code is None else f"with {code}" for code in failed}
        raise NoResultError(
            f"{len(failed)} of {len(found)} runs failed (they ended {', '.join(sorted(ends))}); "
            "repair the command, and leave --ignore-failure out"
        )
