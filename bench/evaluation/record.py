"""Keeps a comparison of identical builds as data: what was measured, without where it lay.

python -m evaluation.record results/<id>/comparison.json...
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evaluation.recorded import RECORDED
from springbench.results.comparison import Comparison
from springbench.results.untrusted import load_comparison

# more digits than any of the clocks behind them
DIGITS = 6


def main(
    files: Annotated[list[Path], typer.Argument(help="comparison.json of A/A runs.")],
    to: Annotated[Path, typer.Option(help="The folder that they are kept in.")] = RECORDED,
) -> None:
    """Write one small file for each."""
    to.mkdir(parents=True, exist_ok=True)
    for file in files:
        comparison = load_comparison(file)
        comparison.base.label, comparison.head.label = "build A", "build A, again"
        comparison.findings = []
        out = to / f"aa-{comparison.comparison.id[:16].lower()}.json"
        out.write_text(_rounded(comparison).model_dump_json(by_alias=True) + "\n", encoding="utf-8")
        typer.echo(f"{out.name}: {out.stat().st_size} bytes")


def _rounded(comparison: Comparison) -> Comparison:
    for pairs in comparison.pairs.values():
        for side in (side for pair in pairs for side in pair.sides.values()):
            side.startup_s = _round(side.startup_s)
            for burst in (burst for bursts in side.bursts.values() for burst in bursts):
                for name in (
                    "throughput_rps",
                    "cpu_per_request_s",
                    "error_ratio",
                    "load_cpu_ratio",
                    "compiler_cpu_ratio",
                ):
                    setattr(burst, name, _round(getattr(burst, name)))
    return comparison


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


if __name__ == "__main__":
    typer.run(main)
