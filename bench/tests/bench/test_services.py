"""What a run starts beside server and load generator."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from springbench.bench.services import Services, check_seed_option
from springbench.errors import ConfigurationError
from springbench.host.cpus import CpuPartition
from springbench.host.shell import RealShell
from springbench.matrix.rows import Matrix
from springbench.measure.services.database_launcher import URL_VARIABLE
from springbench.plan.plan import Filters, make_plan
from tests.processes import SERVICES


def test_only_a_given_server_is_seeded_by_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    check_seed_option(seed=False)
    with pytest.raises(ConfigurationError, match=r"^--seed-database .* SPRINGBENCH_DB_URL"):
        check_seed_option(seed=True)
    monkeypatch.setenv(URL_VARIABLE, "postgresql://me@host/x")
    check_seed_option(seed=True)


@pytest.mark.process
def test_the_readers_password_is_of_one_run_and_in_a_file_of_this_user_alone(
    tmp_path: Path, matrix: Matrix, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    tools: Any = SimpleNamespace(harness_jdk=SimpleNamespace(java=SERVICES / "fake_database.py"))
    nowhere: frozenset[int] = frozenset()
    cpus = CpuPartition(nowhere, nowhere, nowhere, separate=False)
    host: Any = SimpleNamespace(load_host=None, cpus=cpus)
    plan = make_plan(matrix, "database", Filters(only=("*/db-jdbc/*",)))
    passwords = set()
    for _ in range(2):
        with ExitStack() as stack:
            services = Services(stack, plan, tools, RealShell(), host, tmp_path, None)
            ready = services.start_database()
            assert ready
            passwords.add(ready.password)
            arguments = json.loads((tmp_path / "database.log").read_text().splitlines()[-1])[
                "version"
            ]
            file = Path(re.findall(r"--reader-password-file=(\S+)", arguments)[0])
            assert file.read_text(encoding="ascii") == ready.password
            assert file.stat().st_mode & 0o777 == 0o600
            assert file.parent.stat().st_mode & 0o777 == 0o700
        assert not file.exists()
        assert not any(ready.password in path.read_text() for path in tmp_path.iterdir())
    assert len(passwords) == 2
