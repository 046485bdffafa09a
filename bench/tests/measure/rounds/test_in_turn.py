"""Which blocks of turns count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from springbench.measure.rounds.host_watch import HostWatch, Share
from springbench.measure.rounds.in_turn import Block, _Taking
from tests.fakes import FakeShell
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


def test_a_host_that_tells_nothing_spoils_nothing() -> None:
    assert not Share(None, None).is_spoiled
    assert not Share(0.01, 0.05).is_spoiled
    assert Share(0.03, None).is_spoiled
    assert Share(None, 0.2).is_spoiled
