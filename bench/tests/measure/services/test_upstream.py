"""The slow upstream as the harness sees it."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import CaseError, HostError
from springbench.host.ports import free_port
from springbench.measure.services.upstream import Upstream, started
from tests.answers import answering
from tests.fakes import FakeRunning, FakeShell
from tests.measure.testbeds import NOTHING


def test_it_tells_how_late_it_was() -> None:
    with answering(
        {"/stats": (200, b'{"lateness_max_ms": 12.5}'), "/stats/reset": (204, b"")}
    ) as p:
        upstream = Upstream(FakeRunning(1, None), p)
        upstream.reset()
        assert upstream.lateness_max_s() == 0.0125
        assert upstream.url == f"http://127.0.0.1:{p}"


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"lateness_max_ms": null}', b"\xff"])
def test_stats_that_do_not_tell_are_not_known(body: bytes) -> None:
    with answering({"/stats": (200, body)}) as port:
        assert Upstream(FakeRunning(1, None), port).lateness_max_s() is None


def test_an_upstream_that_is_gone_fails_the_case_and_not_the_run() -> None:
    upstream = Upstream(FakeRunning(1, None), free_port())
    assert upstream.lateness_max_s() is None
    with pytest.raises(CaseError, match="the slow upstream gave no answer: ConnectionRefused"):
        upstream.reset()


def test_one_that_has_ended_says_when_it_was_missed() -> None:
    Upstream(FakeRunning(1, None), 8081).check_alive("load")
    with pytest.raises(CaseError, match="the slow upstream exited with code -9 during load"):
        Upstream(FakeRunning(1, -9), 8081).check_alive("load")


def test_one_that_does_not_start_has_the_last_word(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("java", stdout="one\ntwo\nError: Unable to access jarfile\n", code=1)
    with (
        pytest.raises(HostError, match=r"it printed: one \| two \| Error: Unable"),
        started(shell, Path("java"), Path("u.jar"), tmp_path / "log", NOTHING, ("--seed=7",)),
    ):
        pass
    assert shell.commands[0].startswith("java -Xmx256m -XX:+UseSerialGC -jar u.jar --port=")
    assert shell.commands[0].endswith(" --seed=7")
