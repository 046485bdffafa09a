"""Series that others have labelled: values from a folder, labels apart.

A file is `NAME.csv` (the last column that is a number counts; a header is fine) or `NAME.json` (a
list of numbers, or an object with `values`). `labels.json` gives for each name the places, counted
from 0, at which a level begins. Only places are compared: there is nothing to confirm with.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.finder.rules import plain_otava
from springbench.analysis.finder.observations import without_spikes
from springbench.analysis.finder.settings import FinderSettings
from springbench.analysis.finder.steps import changes_of

LABELS = "labels.json"
MARGIN = 5


def evaluate_series(folder: Path) -> list[str]:
    """A table: by rule the precision, recall and F1 over all series. Raises `SystemExit` with a
    line that says what is wrong with the folder."""
    labels = _labels(folder)
    series = dict(_series(folder))
    if missing := sorted(series.keys() - labels.keys()):
        raise SystemExit(f"{folder / LABELS}: no labels for {', '.join(missing)}")
    rows = [
        f"{len(series)} series, {sum(len(labels[name]) for name in series)} labels, "
        f"a margin of {MARGIN} points",
        "",
        "| rule | precision | recall | F1 |",
        "|---|---:|---:|---:|",
    ]
    for rule, find_changes in (
        ("springbench's steps", _springbench),
        ("otava, its defaults", _otava),
    ):
        hits = found = true = 0
        for name, values in series.items():
            positions = find_changes(values)
            true += len(labels[name])
            found += len(positions)
            hits += _matched(positions, labels[name])
        precision, recall = hits / max(1, found), hits / max(1, true)
        f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
        rows.append(f"| {rule} | {precision:.1%} | {recall:.1%} | {f1:.2f} |")
    return rows


def _springbench(values: Sequence[float]) -> list[int]:
    settings = FinderSettings()
    positive = [value for value in values if value > 0]
    if len(positive) != len(values):
        lift = 1 - min(values)  # a series may go below 0; its steps stay where they are
        positive = [value + lift for value in values]
    logs = without_spikes(np.array([[math.log(value) for value in positive]]))
    return [change.position for change in changes_of(list(logs), settings)[0]]


def _otava(values: Sequence[float]) -> list[int]:
    find_changes: Callable[[Sequence[float]], list[tuple[int, bool]]] = plain_otava
    lift = 1 - min(0.0, *values)
    return [position for position, _ in find_changes([math.log(value + lift) for value in values])]


def _matched(positions: Sequence[int], labels: Sequence[int]) -> int:
    """How many labels are met, each by an alarm of its own."""
    left = sorted(positions)
    matched = 0
    for label in sorted(labels):
        near = [position for position in left if abs(position - label) <= MARGIN]
        if near:
            left.remove(min(near, key=lambda position: abs(position - label)))
            matched += 1
    return matched


def _labels(folder: Path) -> dict[str, list[int]]:
    path = folder / LABELS
    data = _json(path)
    if not isinstance(data, dict) or not all(
        isinstance(positions, list) and all(isinstance(position, int) for position in positions)
        for positions in data.values()
    ):
        raise SystemExit(f'{path}: wanted an object like {{"name": [12, 40]}}')
    return data


def _series(folder: Path) -> Iterator[tuple[str, list[float]]]:
    for path in sorted(folder.iterdir()):
        if path.suffix == ".csv":
            yield path.stem, _csv(path)
        elif path.suffix == ".json" and path.name != LABELS:
            data = _json(path)
            values = data.get("values") if isinstance(data, dict) else data
            if not isinstance(values, list) or not all(_is_number(value) for value in values):
                raise SystemExit(f"{path}: wanted a list of numbers, or an object with `values`")
            yield path.stem, [float(value) for value in values]


def _csv(path: Path) -> list[float]:
    values = []
    with path.open(newline="", encoding="utf-8") as file:
        for line, row in enumerate(csv.reader(file), 1):
            numbers = [float(cell) for cell in row if _is_number(cell)]
            if numbers:
                values.append(numbers[-1])
            elif line > 1 and row:
                raise SystemExit(f"{path}:{line}: no number in this line")
    if not values:
        raise SystemExit(f"{path}: no values")
    return values


def _is_number(cell: object) -> bool:
    if not isinstance(cell, str | int | float):
        return False
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"{path}: {error}") from error
