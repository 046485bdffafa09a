"""The key of servers over TLS: made once, whole or not at all."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from springbench.bench.tools import Tools
from springbench.errors import HostError
from springbench.host.shell import RealShell
from springbench.measure.server.key_store import provide_key_store, trust
from tests.fakes import FakeShell


@pytest.mark.process
def test_it_is_made_once_and_its_owners_alone(tmp_path: Path, tools: Tools) -> None:
    folder = tmp_path / "new" / "tls"
    key_store = provide_key_store(folder, tools.jdk.home, RealShell())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert Path(key_store.places["key_store"]).is_file()
    # it trusts its own certificate and no other
    assert trust(key_store.certificate).cert_store_stats()["x509"] == 1
    before = key_store.certificate.read_text()
    again = provide_key_store(folder, tools.jdk.home, RealShell())
    assert again.certificate.read_text() == before
    assert [entry.name for entry in folder.parent.iterdir()] == ["tls"]


def test_what_keytool_says_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    shell = FakeShell()
    shell.answer("keytool", stdout="keytool error: no space\n", code=1)
    with pytest.raises(HostError, match="keytool made no key: keytool error: no space"):
        provide_key_store(tmp_path / "tls", tmp_path / "jdk", shell)
    assert list(tmp_path.iterdir()) == []
