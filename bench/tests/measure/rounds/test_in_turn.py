"""Which blocks of turns count."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from springbench.limits import RESTING_RATIO
from springbench.measure.rounds.host_watch import HostWatch, Share
from springbench.measure.rounds.in_turn import (
    LONGEST_RATIO,
    UNEVEN_RATIO,
    WOKEN_MAX,
    Block,
    _Taking,
)
from springbench.measure.rounds.lane import slice_for
from tests.fakes import FakeShell
from tests.measure.rounds.lanes import ScriptedLane
from tests.measure.testbeds import testbed

QUIET, STOLEN, BUSY = Share(0.0, 0.0), Share(0.3, 0.0), Share(0.0, 0.8)


@pytest.mark.parametrize(
    ("shares", "wanted", "counted"),
    [
        ([QUIET] * 4, 4, [0, 1, 2, 3]),
        # measured again: the newest count, and none that the host spoiled
        ([QUIET, STOLEN, QUIET, BUSY, QUIET, QUIET], 4, [0, 2, 4, 5]),
        ([QUIET] * 6, 4, [2, 3, 4, 5]),
        # half of them is enough to tell, less is not: then all are told as they are
        ([STOLEN] * 6 + [QUIET] * 2, 4, [6, 7]),
        ([STOLEN] * 7 + [QUIET], 4, [4, 5, 6, 7]),
        ([BUSY] * 8, 4, [4, 5, 6, 7]),
    ],
)
def test_what_the_host_spoiled_does_not_count_while_enough_is_left(
    tmp_path_factory: pytest.TempPathFactory,
    shares: Sequence[Share],
    wanted: int,
    counted: Sequence[int],
) -> None:
    taking = _Taking(HostWatch(testbed(tmp_path_factory.mktemp("host"), FakeShell())))
    taking.wanted = wanted
    taking.blocks = [Block(n, n + 1, share) for n, share in enumerate(shares)]
    assert [block.first for block in taking.counted] == counted


def test_a_server_that_is_compiled_among_its_turns_is_settled_and_that_block_left_out(
    tmp_path: Path,
) -> None:
    quiet = ScriptedLane(tmp_path / "quiet")
    wakes = ScriptedLane(tmp_path / "wakes", wakes_at_s=2.2, compiles_s=1.5)
    taking = _Taking(HostWatch(quiet.testbed), lanes=[quiet, wakes])
    taking.run(3.0)
    assert [block.woken for block in taking.blocks].count(True) == 1
    assert len(taking.sound) == taking.wanted
    # the other one was only kept awake, and its compilers stayed where they were
    assert [lent for lent, _ in quiet.moves] == ["lent", "back"]
    assert [lent for lent, _ in wakes.moves] == ["lent", "back"] * 2
    for lane in (quiet, wakes):
        stretches = taking._stretches(lane)
        assert lane.compiler_ratio(stretches) == 0
        # what each did in the blocks that count, and nothing of what settled one of them
        assert sum(s.end.awake_s - s.begin.awake_s for s in stretches) == pytest.approx(3.0)


def test_a_server_that_collections_stop_runs_longer_at_a_time_and_the_others_as_ever(
    tmp_path: Path,
) -> None:
    quiet, collects = ScriptedLane(tmp_path / "quiet"), ScriptedLane(tmp_path / "collects")
    quiet.slice_s, collects.slice_s = slice_for(0.03), slice_for(0.24)
    taking = _Taking(HostWatch(quiet.testbed), lanes=[quiet, collects])
    taking.run(3.0)
    assert len(taking.sound) == taking.wanted
    awake_s = [
        sum(s.end.awake_s - s.begin.awake_s for s in taking._stretches(lane))
        for lane in (quiet, collects)
    ]
    assert awake_s[0] >= 3.0
    assert awake_s[1] == pytest.approx(3 * awake_s[0])
    assert slice_for(None) == quiet.slice_s


@pytest.mark.parametrize(("slow_for_s", "waits"), [(0.0, False), (2.0, True), (100.0, False)])
def test_a_server_that_speeds_up_at_first_is_waited_for(
    tmp_path: Path, slow_for_s: float, waits: bool
) -> None:
    lanes = [ScriptedLane(tmp_path / name) for name in ("a", "b", "c")]
    # a second of its own: new connections are settled for so long
    lanes[0].slow_until_s = 1.0 + slow_for_s
    taking = _Taking(HostWatch(lanes[0].testbed), lanes=[*lanes])
    taking.run(6.0)
    assert not taking._uneven()
    assert (len(taking.blocks) > taking.wanted) is waits


def test_a_server_that_never_becomes_steady_is_not_waited_for_without_end(
    tmp_path: Path,
) -> None:
    lanes = [ScriptedLane(tmp_path / name) for name in ("a", "b", "c")]
    lanes[0].slow_until_s = 1.0 + 4.0
    taking = _Taking(HostWatch(lanes[0].testbed), lanes=[*lanes])
    taking.run(6.0)
    assert taking.wanted < len(taking.blocks) <= math.ceil(UNEVEN_RATIO * taking.wanted)


def test_a_server_that_never_rests_ends_its_turns_all_the_same(tmp_path: Path) -> None:
    restless = ScriptedLane(tmp_path, wakes_at_s=0.0, compiles_s=1e6)
    taking = _Taking(HostWatch(restless.testbed), lanes=[restless])
    taking.run(3.0)
    assert len(taking.blocks) <= LONGEST_RATIO * taking.wanted
    assert [lent for lent, _ in restless.moves] == ["lent", "back"] * (1 + WOKEN_MAX)
    # and says so
    assert restless.compiler_ratio(taking._stretches(restless)) > RESTING_RATIO


def test_a_host_that_tells_nothing_spoils_nothing() -> None:
    assert not Share(None, None).is_spoiled
    assert not Share(0.01, 0.05).is_spoiled
    assert Share(0.03, None).is_spoiled
    assert Share(None, 0.2).is_spoiled
