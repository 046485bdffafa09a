"""A lane whose server and wrk are a script: what it has done goes by its turns, not by a clock."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from springbench.host.shell import Running
from springbench.measure.load.driver import Driver
from springbench.measure.rounds.lane import Lane, Look
from springbench.measure.rounds.standing import Standing
from springbench.measure.server.compilers import Compilers
from springbench.measure.testbed import Testbed
from springbench.plan.cases import Variant
from tests.fakes import FakeShell
from tests.measure.testbeds import testbed

COMPILING_RATIO = 0.5
SLOW_RATIO = 0.8


class ScriptedLane(Lane):
    """From `wakes_at_s` of its own time on its compilers take half of a CPU, for `compiles_s`.

    Until `slow_until_s` it answers a fifth less.
    """

    def __init__(
        self, folder: Path, wakes_at_s: float = float("inf"), compiles_s: float = 0.0
    ) -> None:
        # no server: what asks one is overridden
        self.testbed = testbed(folder, FakeShell())
        standing = _Scripted(self.testbed, cast(Driver, None), cast(Variant, None))
        super().__init__(standing, cast(Running, None), folder / "bursts.txt", "/")
        self.wakes_at_s, self.compiles_s = wakes_at_s, compiles_s
        self.slow_until_s = 0.0
        self.moves: list[tuple[str, float]] = []

    @property
    def compilers(self) -> Compilers:
        return _Scribe(self)

    def run(self) -> None:
        self.look()
        self.awake_s += self.slice_s

    def look(self) -> None:
        worked_s = min(max(0.0, self.awake_s - self.wakes_at_s), self.compiles_s)
        compiled_s = COMPILING_RATIO * worked_s
        rises_s = max(0.0, self.awake_s - self.slow_until_s)
        read = round((SLOW_RATIO * (self.awake_s - rises_s) + rises_s) * 1e6)
        at_s = self.awake_s
        self.looks.append(Look(at_s, read, self.awake_s, 0.0, self.awake_s, compiled_s))


class _Scripted(Standing):
    testbed: Testbed

    @property
    def pid(self) -> int:
        # nobody's
        return 2**30


class _Scribe(Compilers):
    """Notes when compilers were given CPUs, and when these were taken back."""

    def __init__(self, lane: ScriptedLane) -> None:
        self._lane = lane

    def lend(self, cpus: frozenset[int]) -> None:
        self._lane.moves.append(("lent", self._lane.awake_s))

    def give_back(self, cpus: frozenset[int]) -> None:
        self._lane.moves.append(("back", self._lane.awake_s))
