"""find-site, against a bare repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repositories import Repository
from tests.workflows.actions.scripts import script

ADDRESS = "https://github.com/octo/bench"


@pytest.mark.parametrize(
    ("files", "path", "deployed"),
    [
        (None, "", "false"),
        ({"index.html": ""}, "", "false"),
        ({"version.txt": "older\n"}, "", "false"),
        ({"version.txt": "this\n"}, "", "true"),
        ({"version.txt": "this\n"}, "bench", "false"),
        ({"version.txt": "older\n", "docs/bench/version.txt": "this\n"}, "docs/bench", "true"),
    ],
)
def test_a_site_is_there_where_its_version_is(
    tmp_path: Path, files: dict[str, str] | None, path: str, deployed: str
) -> None:
    origin = Repository.create(tmp_path / "origin")
    origin.commit({"README.md": ""})
    if files:
        origin.git("checkout", "--quiet", "--orphan", "gh-pages")
        origin.commit(files)
    config, output = tmp_path / "gitconfig", tmp_path / "output"
    config.write_text(f'[url "{origin.root.as_uri()}"]\n\tinsteadOf = {ADDRESS}\n')
    done = script(
        "find-site/find.sh",
        cwd=tmp_path,
        GIT_CONFIG_GLOBAL=config,
        VERSION="this",
        BRANCH="gh-pages",
        HISTORY_PATH=path,
        TOKEN="none",  # noqa: S106
        GITHUB_SERVER_URL="https://github.com",
        GITHUB_REPOSITORY="octo/bench",
        GITHUB_OUTPUT=output,
    )
    assert done.returncode == 0, done.stderr
    assert output.read_text(encoding="utf-8") == f"artifact=site\ndeployed={deployed}\n"
