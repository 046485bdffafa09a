"""Whether the variants of a plan can be up at once on this host."""

from __future__ import annotations

import os
from dataclasses import replace

import psutil

from springbench import units
from springbench.measure.rounds.lane import can_take_turns
from springbench.plan.plan import Plan
from springbench.results.run import Caution

# of the host's memory, for wrk, the harness and everything else
SPARE_BYTES = 1 << 30


def possibly_in_turn(
    plan: Plan, memory_limit_bytes: int, port: int | None, available_bytes: int | None = None
) -> tuple[Plan, list[Caution]]:
    """The plan, its variants one after the other where they cannot be up at once, and why."""
    if not plan.in_turn:
        return plan, []
    if available_bytes is None:
        available_bytes = int(psutil.virtual_memory().available)
    servers = max(len(plan.processes(fork)) for fork in range(plan.cases[0].forks))
    needed_bytes = servers * memory_limit_bytes + SPARE_BYTES
    if port is not None:
        why = "--port names one port, and all servers would be up at once"
    elif not can_take_turns(os.getpid()):
        why = "this host does not tell what a process did that was stopped"
    elif needed_bytes > available_bytes:
        needed, available = units.apart(_mebibytes, needed_bytes, available_bytes)
        why = f"{servers} servers up at once need {needed} of memory, and {available} are available"
    else:
        return plan, []
    caution = Caution(
        code="one-by-one",
        message=f"servers were measured one after the other, not in turn: {why}; "
        "each met its own minute of the host",
    )
    alone = tuple(replace(case, in_turn=False) for case in plan.cases)
    return replace(plan, cases=alone), [caution]


def _mebibytes(value_bytes: float, digits: int) -> str:
    return f"{value_bytes / (1 << 20):,.{digits}f} MiB"
