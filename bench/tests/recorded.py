"""Recorded measurements for tests, as they were and with one thing changed."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from springbench.results.comparison import Comparison, PairRecord, SideName
from springbench.results.recording import Recording
from springbench.results.run import Run

RECORDINGS = Path(__file__).with_name("recordings")
_OTHER: dict[SideName, SideName] = {"base": "head", "head": "base"}


@cache
def _read(name: str) -> Recording:
    return Recording.read(RECORDINGS / f"{name}.json.gz")


def names_of(kind: type[Run] | type[Comparison]) -> list[str]:
    """The recordings of one kind, sorted."""
    names = sorted(file.name.removesuffix(".json.gz") for file in RECORDINGS.glob("*.json.gz"))
    return [name for name in names if bool(_read(name).runs) == (kind is Run)]


def recorded_run(name: str) -> Run:
    """A copy of a recorded run."""
    [run] = _read(name).runs
    return run.model_copy(deep=True)


def recorded_comparison(name: str) -> Comparison:
    """A copy of a recorded comparison."""
    [comparison] = _read(name).comparisons
    return comparison.model_copy(deep=True)


def swapped(comparison: Comparison) -> Comparison:
    """The same processes, had head been base."""
    pairs = {
        variant: [_swapped(pair) for pair in measured]
        for variant, measured in comparison.pairs.items()
    }
    return comparison.model_copy(
        update={"pairs": pairs, "base": comparison.head, "head": comparison.base}, deep=True
    )


def _swapped(pair: PairRecord) -> PairRecord:
    failed = _OTHER[pair.failed_side] if pair.failed_side else None
    sides = {_OTHER[name]: side for name, side in pair.sides.items()}
    return pair.model_copy(update={"sides": sides, "failed_side": failed, "pair": pair.pair + 1})


def write_recording(folder: Path, *parts: Run | Comparison) -> Path:
    """A folder that `--recording` takes."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate(parts):
        data = part.model_dump_json(by_alias=True).encode("utf-8")
        (folder / f"{number}.json.gz").write_bytes(gzip.compress(data))
    return folder


def named(comparison: Comparison, base: str, head: str) -> Comparison:
    """The same measurements, of commits with these messages."""
    sides = {
        "base": comparison.base.model_copy(update={"message": base}),
        "head": comparison.head.model_copy(update={"message": head}),
    }
    return comparison.model_copy(update=sides, deep=True)


def failing(run: Run, cases: Iterable[str], reason: str) -> Run:
    """The same run, in which these cases failed."""
    for case in cases:
        result = run.find(case)
        assert result is not None
        for fork in result.forks:
            fork.status, fork.reason, fork.load = "failed", reason, None
    return run
