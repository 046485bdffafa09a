"""What a service is called, and that two of a repository are not called the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.repositories import Repository

pytestmark = pytest.mark.process


def described(name: str | None) -> str:
    name_line = f'name = "{name}"\n' if name else ""
    return f'{name_line}command = ["./serve", "{{port}}"]\n[[routes]]\npath = "/"\n'


def print_name(cli: Cli, file: Path) -> tuple[int, str, str]:
    return cli("plan", "--service", "--matrix", file)


def test_the_name_is_printed_and_nothing_for_servers(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "springbench.toml"
    file.write_text(described("orders"), encoding="utf-8")
    assert print_name(cli, file) == (0, "orders\n", "")
    assert cli("plan", "--service") == (0, "", "")


@pytest.mark.parametrize("name", ["same", None])
def test_two_folders_with_one_name_are_refused(tmp_path: Path, cli: Cli, name: str | None) -> None:
    repository = Repository.create(tmp_path / "repository")
    repository.commit(
        {f"{folder}/springbench.toml": described(name) for folder in ("orders", "a b/c")}
    )
    code, _, err = print_name(cli, repository.root / "orders/springbench.toml")
    assert code == 2
    assert f"the name '{name or 'service'}' is that of a b/c/springbench.toml too" in err
    assert len(err.splitlines()) == 1
    repository.commit({"a b/c/springbench.toml": described("payments")})
    assert print_name(cli, repository.root / "orders/springbench.toml")[0] == 0


def test_what_is_no_service_of_the_repository_has_no_name_to_clash_with(
    tmp_path: Path, cli: Cli
) -> None:
    repository = Repository.create(tmp_path / "repository")
    repository.commit(
        {
            "springbench.toml": described("orders"),
            "broken/springbench.toml": "name = [",
            "list/springbench.toml": 'name = "orders"\n',
            "other.toml": described("orders"),
        }
    )
    # of a clone of springbench inside it, say
    untracked = repository.root / "untracked"
    untracked.mkdir()
    (untracked / "springbench.toml").write_text(described("orders"), encoding="utf-8")
    assert print_name(cli, repository.root / "springbench.toml") == (0, "orders\n", "")


@pytest.mark.parametrize("name", ["Orders", "orders-api", "a" * 41, "订单"])
def test_a_name_that_would_need_changing_is_refused(tmp_path: Path, cli: Cli, name: str) -> None:
    file = tmp_path / "springbench.toml"
    file.write_text(described(name), encoding="utf-8")
    code, _, err = print_name(cli, file)
    assert code == 2
    assert "name: allowed:" in err
    assert len(err.splitlines()) == 1


def test_init_takes_a_name_that_is_free(tmp_path: Path, cli: Cli) -> None:
    repository = Repository.create(tmp_path / "repository")
    repository.commit(
        {"a-b/springbench.toml": described("ab"), "ab2/springbench.toml": described("ab2")}
    )
    folder = repository.root / "a b"
    folder.mkdir()
    code, out, _ = cli("init", folder, "--command", "./serve {port}", "--route", "/")
    assert code == 0
    assert "a-b/springbench.toml has the name ab: this one gets ab3" in out
    assert 'name = "ab3"' in (folder / "springbench.toml").read_text(encoding="utf-8")
