"""The kernel's switches of a made-up host: set for a measurement, and put back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from springbench.host.lock import PLACE
from springbench.host.switches import prepared_host, state_path
from springbench.messages import show_messages

GOVERNOR = "sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor"
PAGES = "sys/kernel/mm/transparent_hugepage/enabled"


@dataclass
class MadeUpHost:
    root: Path
    state: Path
    messages: list[str] = field(default_factory=list)

    def value(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8").strip()

    def set(self, name: str, value: str) -> None:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{value}\n", encoding="utf-8")


@pytest.fixture
def host(tmp_path: Path) -> MadeUpHost:
    made_up_host = MadeUpHost(tmp_path / "host", tmp_path / "host.state")
    for number in (0, 1):
        made_up_host.set(GOVERNOR.format(number), "powersave")
    show_messages(made_up_host.messages.append)
    made_up_host.set(PAGES, "[always] madvise never")
    return made_up_host


def test_what_was_changed_is_put_back(host: MadeUpHost) -> None:
    with prepared_host(host.root, host.state):
        assert host.value(GOVERNOR.format(1)) == "performance"
        assert host.value(PAGES) == "madvise"
        assert host.state.exists()
    assert "frequency governor: 'powersave' is now 'performance'" in host.messages
    assert host.value(GOVERNOR.format(0)) == "powersave"
    assert host.value(PAGES) == "always"
    assert not host.state.exists()


def test_it_is_put_back_after_a_failure(host: MadeUpHost) -> None:
    with pytest.raises(KeyboardInterrupt), prepared_host(host.root, host.state):
        raise KeyboardInterrupt
    assert host.value(GOVERNOR.format(0)) == "powersave"


@pytest.mark.process
def test_who_was_killed_does_not_make_his_values_the_hosts(host: MadeUpHost) -> None:
    code = (
        "import sys, time; from pathlib import Path;"
        "from springbench.host.switches import prepared_host\n"
        "with prepared_host(Path(sys.argv[1]), Path(sys.argv[2])):\n"
        "    print('prepared', flush=True); time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, str(host.root), str(host.state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout
        while "prepared\n" not in killed.stdout.readline():
            time.sleep(0.01)
        killed.send_signal(signal.SIGKILL)
    assert host.value(GOVERNOR.format(0)) == "performance"
    with prepared_host(host.root, host.state):
        assert host.value(GOVERNOR.format(0)) == "performance"
    assert host.messages[0] == "an earlier measurement did not put this host back; doing so first"
    assert host.value(GOVERNOR.format(0)) == "powersave"
    assert host.value(PAGES) == "always"


def test_a_value_that_is_right_already_is_not_touched(host: MadeUpHost) -> None:
    host.set(GOVERNOR.format(0), "performance")
    with prepared_host(host.root, host.state):
        pass
    assert host.value(GOVERNOR.format(0)) == "performance"
    assert not any("cpu0" in line for line in host.messages)


def test_a_host_without_these_switches_is_left_alone(tmp_path: Path) -> None:
    messages: list[str] = []
    show_messages(messages.append)
    with prepared_host(tmp_path / "none", tmp_path / "host.state"):
        assert not (tmp_path / "host.state").exists()
    assert messages == []


def test_where_old_values_cannot_be_kept_nothing_is_changed(host: MadeUpHost) -> None:
    nowhere = host.state / "no" / "folder"
    with prepared_host(host.root, nowhere):
        assert host.value(GOVERNOR.format(0)) == "powersave"
    assert "this host is left as it is: its values cannot be kept" in host.messages[0]


def test_a_link_that_somebody_laid_is_not_followed(host: MadeUpHost, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text(f"{GOVERNOR.format(0)}\tevil\n", encoding="utf-8")
    host.state.symlink_to(victim)
    with prepared_host(host.root, host.state):
        assert host.value(GOVERNOR.format(0)) == "powersave"
    assert host.value(GOVERNOR.format(0)) == "powersave"
    assert victim.exists()


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", ["pipe", "hard link"])
def test_what_somebody_laid_there_is_neither_waited_for_nor_written_to(
    host: MadeUpHost, tmp_path: Path, kind: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched", encoding="utf-8")
    if kind == "pipe":
        os.mkfifo(host.state)
    else:
        host.state.hardlink_to(victim)
    with prepared_host(host.root, host.state):
        assert host.value(GOVERNOR.format(0)) == "powersave"
    assert any("values cannot be kept" in line for line in host.messages)
    assert victim.read_text(encoding="utf-8") == "untouched"


def test_only_switches_are_put_back(host: MadeUpHost) -> None:
    host.set("etc/passwd", "root")
    host.state.write_text("etc/passwd\tnobody\n../state\tx\nno tab\n", encoding="utf-8")
    with prepared_host(host.root, host.state):
        pass
    assert host.value("etc/passwd") == "root"


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everything")
def test_what_may_not_be_written_is_named_and_left(host: MadeUpHost) -> None:
    (host.root / PAGES).chmod(0o444)
    with prepared_host(host.root, host.state):
        assert host.value(PAGES) == "[always] madvise never"
    assert any("left at 'always'" in line for line in host.messages)


def test_the_values_are_kept_beside_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PLACE, str(tmp_path / "lock"))
    assert state_path() == tmp_path / f"springbench-host-{os.getuid()}.state"
