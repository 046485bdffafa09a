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
        isinstance(result, dict) and "command" in result for result in results
    )


def read(document: dict[str, Any]) -> Results:
    """The commands of a file. One of which a run failed is left out."""
    results = Results()
    for index, command in enumerate(document["results"]):
        try:
            results.found += _command(command)
        except NoResultError as error:
            results.leave_out(str(command.get("command") or f"command {index + 1}"), str(error))
    return results


def _command(command: dict[str, Any]) -> list[Measurement]:
    _check_exit_codes(command.get("exit_codes"))
    runs = {"mean": list(numbers(command.get("times")))}
    found = [
        _measurement(command, figure, number_in(command, name), runs.get(name, []))
        for name, figure in _TIMES.items()
        if name == "mean" or name in command
    ]
    if memory := list(numbers(command.get("memory_usage_byte"))):
        found.append(_measurement(command, "peak memory", statistics.fmean(memory), memory, "B"))
    return found


def _measurement(
    command: dict[str, Any], figure: str, value: float, values: list[float], unit: str = "s"
) -> Measurement:
    return Measurement(
        benchmark=text_in(command, "command"),
        figure=figure,
        metric=REPORTED_TIME if unit == "s" else REPORTED_BYTES,
        unit=unit,
        value=value,
        values=values,
        parameters=texts_in(command, "parameters"),
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
