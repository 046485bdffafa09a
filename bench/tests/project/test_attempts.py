"""When a service that does not get ready is known to wait for another."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from springbench.project.attempts import LONGEST_PAUSE_S, WAITING_S, Attempts

REFUSED = "WARN Connection to localhost:5432 refused\n"


def waits_after_s(
    attempts_s: Iterable[float], cpus: float = 0.0, address: str = "", line: str = REFUSED
) -> float | None:
    """When it is known, of a service that tries at these times; None where it never is."""
    found, log = Attempts(), ""
    for now_s in attempts_s:
        log += "" if address else line
        if found.is_waiting(log, address, now_s, cpus * now_s):
            return now_s
    return None


@pytest.mark.parametrize("every_s", [0.5, 5.0, 15.0])
def test_one_that_tries_again_and_again_waits(every_s: float) -> None:
    at_s = [1 + every_s * number for number in range(200)]
    found_s = waits_after_s(at_s)
    assert found_s is not None
    assert 1 + WAITING_S <= found_s <= 1 + WAITING_S + every_s


def test_one_that_opens_a_connection_that_nobody_takes_waits() -> None:
    at_s = [0.2 * number for number in range(500)]
    assert waits_after_s(at_s, address="10.0.0.1:5432") is not None


@pytest.mark.parametrize(
    ("attempts_s", "cpus", "line"),
    [
        # a few, as of a client that goes on without
        ([2, 3, 4, 33], 0.0, REFUSED),
        # with pauses in which it does something else
        ([10, 30 + LONGEST_PAUSE_S, 120, 150], 0.0, REFUSED),
        # it still starts: something in it tries beside that
        (range(200), 0.9, REFUSED),
        (range(200), 0.0, "INFO starting\n"),
    ],
)
def test_others_do_not(attempts_s: Iterable[float], cpus: float, line: str) -> None:
    assert waits_after_s(attempts_s, cpus, line=line) is None


def test_each_line_is_one_attempt_and_half_a_line_is_none() -> None:
    found = Attempts()
    log = REFUSED + REFUSED.rstrip()
    assert not found.is_waiting(log, "", 0.0, 0.0)
    # nothing has come since
    assert not found.is_waiting(log, "", 10.0, 0.0)
    assert not found.is_waiting(log, "", WAITING_S + 1, 0.0)
    assert found.address == ""
