"""What a run starts beside server and load generator."""

from __future__ import annotations

import pytest

from springbench.errors import ConfigurationError
from springbench.measure.services.database_launcher import URL_VARIABLE
from springbench.run.services import check_seed_option


def test_only_a_given_server_is_seeded_by_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    check_seed_option(seed=False)
    with pytest.raises(ConfigurationError, match=r"^--seed-database .* SPRINGBENCH_DB_URL"):
        check_seed_option(seed=True)
    monkeypatch.setenv(URL_VARIABLE, "postgresql://me@host/x")
    check_seed_option(seed=True)
