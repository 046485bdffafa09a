"""Records how the speed of this host changes, as noise for histories that are drawn.

    python -m evaluation.record_speed --hours 3

Every five seconds the CPU time of a fixed piece of work, half a per cent of a CPU; what is kept is
the mean of each half minute.
"""

from __future__ import annotations

import hashlib
import json
import statistics
import time
from pathlib import Path
from typing import Annotated

import typer

from evaluation.finder.host_noise import SPEED_FILE

PAUSE_S, INTERVAL_S = 5.0, 30.0
HASHES, REPEATS = 10_000, 4
DIGITS = 5


def main(
    hours: Annotated[float, typer.Option(help="How long.")] = 3.0,
    about: Annotated[str, typer.Option(help="What host, and what else it did.")] = "",
    to: Annotated[Path, typer.Option(help="The file that it is kept in.")] = SPEED_FILE,
) -> None:
    """Write the file at the end."""
    means = [_mean_s() for _ in range(round(hours * 3600 / INTERVAL_S))]
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_text(json.dumps({"about": about, "work_s": means}) + "\n", encoding="utf-8")
    typer.echo(
        f"{len(means)} values, deviation {statistics.stdev(means) / statistics.mean(means):.1%}"
    )


def _mean_s() -> float:
    values = []
    for _ in range(round(INTERVAL_S / PAUSE_S)):
        values += [_work_s() for _ in range(REPEATS)]
        time.sleep(PAUSE_S)
    return float(f"{statistics.fmean(values):.{DIGITS}g}")


def _work_s() -> float:
    begin_s = time.thread_time()
    hashlib.pbkdf2_hmac("sha256", b"springbench", b"probe", HASHES)
    return time.thread_time() - begin_s


if __name__ == "__main__":
    typer.run(main)
