"""One load of several servers in turn, until enough of it was not spoiled by the host."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import NamedTuple

from springbench.errors import CaseError
from springbench.limits import BEFORE_RATIO, RESTING_RATIO
from springbench.measure import missing
from springbench.measure.rounds.cycles import (
    SETTLE_MAX_S,
    Failures,
    cycle,
    look_at,
    settle,
)
from springbench.measure.rounds.host_watch import HostWatch, Share
from springbench.measure.rounds.lane import (
    COLLECTING_SLICE_S,
    SLICE_S,
    Lane,
    Stretch,
    open_lane,
    slice_for,
)
from springbench.measure.rounds.standing import Standing
from springbench.measure.rounds.turns_record import Turns, in_turns, is_even
from springbench.plan.cases import IN_TURN, SETTLING, Case
from springbench.results.records import ForkRecord, WrkSummary

# seconds in a row: an optimising compiler may need one for a single method
RESTS = 2
# A method that is compiled among the turns has its server loaded until that is over, with CPUs of
# their own for the compilers: for so long, so often. Some servers' never rest.
WOKEN_MAX_S = 5.0
WOKEN_MAX = 2
# the kernel counts what is stolen in hundredths of a second
BLOCK_S = 1.0
# of what was asked for, in all: blocks that the host spoils are measured again within it
LONGEST_RATIO = 2.0
# the same for compilers that have a little to do all the time
COMPILING_RATIO = 1.5
# of the blocks that count: a server that is not steady in them gets so many to become so
UNEVEN_RATIO = 1.4


class Entry(NamedTuple):
    """A server that takes turns, with the record of its case."""

    server: Standing
    case: Case
    record: ForkRecord


class Block(NamedTuple):
    """Consecutive cycles, from the look before the first to the one behind the last."""

    first: int
    end: int
    share: Share
    woken: bool = False
    """Whether a server was compiled in it, and settled behind it."""

    @property
    def is_sound(self) -> bool:
        """Whether neither the host nor a compiler spoiled it."""
        return not (self.share.is_spoiled or self.woken)


def take_turns(entries: Sequence[Entry]) -> dict[str, CaseError]:
    """Load all of them in turn, and put what they did then into their records.

    What each gets is `window_s` of its case. By case id, the failures of those that did not live
    to see its end.
    """
    if not entries:
        return {}
    window_s = max(entry.case.window_s for entry in entries)
    testbed = entries[0].server.testbed
    settling_s = SETTLE_MAX_S + WOKEN_MAX * WOKEN_MAX_S
    own_s = LONGEST_RATIO * window_s * COLLECTING_SLICE_S / SLICE_S
    longest_s = len(entries) * (own_s + settling_s) + 60
    failures: dict[str, CaseError] = {}
    with ExitStack() as stack:
        taking = _Taking(HostWatch(testbed))
        for entry in entries:
            try:
                alone = entry.record.load
                slice_s = slice_for(alone.gc_pause_ratio if alone else None)
                lane = open_lane(stack, entry.server, entry.case, longest_s, slice_s)
            except CaseError as error:
                failures[entry.case.id] = error
            else:
                taking.lanes.append(lane)
                taking.entries.append(entry)
        taking.run(window_s)
        for entry, lane, summary in taking.close():
            turns = taking.turns_of(lane, summary)
            taking.keep(lane)
            entry.record.load = entry.record.load and in_turns(entry.record.load, turns)
            if entry.record.load:
                entry.record.missing |= dict(missing.of_turns(entry.record.load))
                server = entry.server.driver.server
                entry.record.load.memory_peak_bytes = server.readings.peak_bytes()
    return failures | taking.failures


@dataclass
class _Taking:
    watch: HostWatch
    lanes: list[Lane] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    wanted: int = 1
    """How many blocks are to count."""
    failures: dict[str, CaseError] = field(default_factory=dict)
    wakes: Counter[Lane] = field(default_factory=Counter)
    """How often each has been settled among its turns."""

    def run(self, window_s: float) -> None:
        """Blocks, until so much of each server has been seen on a host that left it alone."""
        self._tell_phase(SETTLING)
        # what wakes only later is met when it does
        while failed := settle(self.lanes):
            self._drop(failed)
        cycles = math.ceil(BLOCK_S / (sum(lane.slice_s for lane in self.lanes) or BLOCK_S))
        wanted = max(1, math.ceil(window_s / SLICE_S / cycles))
        self.wanted = wanted
        self._tell_phase(IN_TURN)
        while self.lanes and len(self.blocks) < LONGEST_RATIO * wanted:
            if len(self.sound) >= wanted and not self._waits_for_more():
                break
            self._block(cycles)
            self._tell_part()

    def _tell_phase(self, name: str) -> None:
        for _, case, record in self.entries[:1]:
            self.watch.testbed.observer.phase(case, record.fork, name)

    def _tell_part(self) -> None:
        """Tell how many of the blocks are done, were those to come spoiled as often as these."""
        done, most = len(self.blocks), LONGEST_RATIO * self.wanted
        needed = self.wanted * done / len(self.sound) if self.sound else most
        self.watch.testbed.observer.part(done / max(done + 1, min(needed, most)))

    @property
    def sound(self) -> list[Block]:
        """Blocks that nothing spoiled."""
        return [block for block in self.blocks if block.is_sound]

    @property
    def counted(self) -> list[Block]:
        """Those that count: the newest of the sound ones, or of all where these are too few."""
        enough = 2 * len(self.sound) >= min(self.wanted, len(self.blocks))
        return (self.sound if enough else self.blocks)[-self.wanted :]

    def _waits_for_more(self) -> bool:
        """Whether newer blocks in place of the oldest ones may still be better, and are allowed."""
        return (len(self.blocks) < COMPILING_RATIO * self.wanted and self._compiling()) or (
            len(self.sound) < UNEVEN_RATIO * self.wanted and self._uneven()
        )

    def _uneven(self) -> bool:
        """Whether any of the servers was not steady in the blocks that would count."""
        rates = self._rates()
        return not all(is_even(rates, own) for own in range(len(rates)))

    def _rates(self) -> list[list[float]]:
        counted = self.counted
        return [[_rate(lane, block) for block in counted] for lane in self.lanes]

    def _compiling(self) -> bool:
        """Whether any of the servers was still compiled in the blocks that would count."""
        return any(
            lane.compiler_ratio(self._stretches(lane)) > RESTING_RATIO for lane in self.lanes
        )

    def _stretches(self, lane: Lane) -> list[Stretch]:
        return [Stretch(lane.looks[b.first], lane.looks[b.end]) for b in self.counted]

    def close(self) -> list[tuple[Entry, Lane, WrkSummary]]:
        """End all loads; those of which something was answered."""
        closed = []
        for entry, lane in zip(self.entries, self.lanes, strict=True):
            try:
                closed.append((entry, lane, lane.close()))
            except CaseError as error:
                self.failures[entry.case.id] = error
        return closed

    def turns_of(self, lane: Lane, summary: WrkSummary) -> Turns:
        """What a lane did in the blocks that count, beside all of them."""
        counted, stretches = self.counted, self._stretches(lane)
        return Turns(
            burst=lane.burst(stretches, summary),
            summary=summary,
            window_s=sum(s.end.awake_s - s.begin.awake_s for s in stretches),
            rates=self._rates(),
            own=self.lanes.index(lane),
            shares=[block.share for block in counted],
            server_cpu_ratio=lane.server_cpu_ratio(stretches),
            left_out=len(self.blocks) - len(counted),
            allocated_bytes_per_request=lane.allocated_bytes_per_request(summary),
        )

    def keep(self, lane: Lane) -> None:
        """Requests a second in each block, beside wrk's output: what a number was made of."""
        rows = [
            {
                "requests_per_s": _rate(lane, block),
                "stolen": block.share.stolen,
                "others": block.share.others,
                "woken": block.woken,
            }
            for block in self.blocks
        ]
        lane.output.with_suffix(".json").write_text(json.dumps(rows), encoding="utf-8")

    def _block(self, cycles: int) -> None:
        before, first = self.watch.counters(self.lanes), len(self.lanes[0].looks)
        for turn in range(first, first + cycles):
            if failed := cycle(self.lanes, turn):
                # what the others did in this block is left out: they go on from here
                self._drop(failed)
                for lane in self.lanes:
                    del lane.looks[first:]
                return
        self._drop(look_at(self.lanes))
        share = self.watch.share(before, self.watch.counters(self.lanes))
        block = Block(first, first + cycles, share)
        woken = [lane for lane in self.lanes if self._woke(lane, block)]
        self.blocks.append(block._replace(woken=bool(woken)))
        self.wakes.update(woken)
        if woken:
            self._drop(settle(self.lanes, RESTS, woken, WOKEN_MAX_S))

    def _woke(self, lane: Lane, block: Block) -> bool:
        ratio = lane.compiler_ratio([Stretch(lane.looks[block.first], lane.looks[block.end])])
        return ratio > BEFORE_RATIO and self.wakes[lane] < WOKEN_MAX

    def _drop(self, failed: Failures) -> None:
        for lane, error in failed:
            index = self.lanes.index(lane)
            del self.lanes[index]
            self.failures[self.entries.pop(index).case.id] = error


def _rate(lane: Lane, block: Block) -> float:
    """Requests a second of its own time."""
    begin, end = lane.looks[block.first], lane.looks[block.end]
    return (end.requests - begin.requests) / (end.awake_s - begin.awake_s)
