"""The real workflow that releases springbench, from a tag to a wheel that is installed."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from springbench import __version__
from tests.workflows.local_github import END_TO_END, Ended, LocalGitHub, git

pytestmark = END_TO_END
TAG = f"v{__version__}"
# keeps what is attached, as GitHub does, and refuses a tag that is not there
GH = f"""#!{sys.executable}
import json, os, pathlib, shutil, sys
store = pathlib.Path(os.environ["STAND_IN_STORE"], "release")
if sys.argv[1] == "api":
    print(os.environ.get("STAND_IN_CHECKS", "success"))
    sys.exit()
what, tag, words = sys.argv[2], sys.argv[3], sys.argv[4:]
if what == "view":
    sys.exit(not (store / tag).is_dir())
(store / tag).mkdir(parents=True)
shutil.copy(words[words.index("--notes-file") + 1], store / tag / "notes.md")
for file in words[words.index("--") + 1:]:
    shutil.copy(file, store / tag)
"""


@pytest.fixture
def releases(github: LocalGitHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalGitHub:
    """A repository whose version is about to be released."""
    (tmp_path / "tools").mkdir()
    gh = tmp_path / "tools" / "gh"
    gh.write_text(GH, encoding="utf-8")
    gh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{gh.parent}:{os.environ['PATH']}")
    return github


def tagged(github: LocalGitHub, sha: str, tag: str = TAG) -> Ended:
    """The workflow, for a tag that was pushed."""
    git("-C", str(github.work), "tag", "--force", tag, sha)
    git("-C", str(github.work), "push", "--quiet", "--force", str(github.origin), tag)
    return github.run("push", "release", {"ref": f"refs/tags/{tag}", "after": sha})


@pytest.mark.system
def test_a_tag_makes_a_release_whose_wheel_is_attested_and_runs(
    releases: LocalGitHub, tmp_path: Path
) -> None:
    changelog = releases.work / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    text = text.replace("## Unreleased", f"## Unreleased\n\n## {__version__} - 2026-11-24", 1)
    changelog.write_text(text, encoding="utf-8")
    sha = releases.commit("Version")
    ended = tagged(releases, sha)
    assert ended.ok, ended.excerpt

    released = releases.store / "release" / TAG
    [wheel] = released.glob("*.whl")
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert (releases.store / "attested").read_text().split()[0] == digest
    notes = (released / "notes.md").read_text(encoding="utf-8")
    assert notes.startswith("### Added\n")
    assert "Unreleased" not in notes
    assert git("-C", str(releases.origin), "rev-parse", TAG.split(".", maxsplit=1)[0]) == sha
    assert _version_of(wheel, tmp_path / "installed") == __version__


@pytest.mark.system
def test_a_tag_that_is_no_version_is_refused_before_anything_is_built(
    releases: LocalGitHub,
) -> None:
    sha = git("-C", str(releases.work), "rev-parse", "HEAD")
    ended = tagged(releases, sha, "v9.9.9")
    assert not ended.ok
    assert f"has version '{__version__}'; allowed: {TAG}" in ended.log
    assert not any(ended.ran(job) for job in ("build", "attest", "publish"))
    assert releases.artifacts() == set()


def _version_of(wheel: Path, folder: Path) -> str:
    """What the wheel says of itself, in an environment that has its code alone."""
    venv.create(folder)
    python = folder / "bin" / "python"
    [packages] = folder.glob("lib/python*/site-packages")
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, packages], check=True)
    script = (
        "import json, springbench, importlib.metadata as m, pathlib;"
        "p = pathlib.Path(springbench.__file__).parent / 'page' / 'report.html';"
        "print(json.dumps([springbench.__version__, m.version('springbench'), p.stat().st_size]))"
    )
    out = subprocess.check_output([python, "-c", script], cwd=folder, text=True)
    version, metadata, page_bytes = json.loads(out)
    assert page_bytes > 100_000
    assert version == metadata
    return str(version)
