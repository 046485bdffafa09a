"""Checkouts of a service: two folders, each as its springbench.toml describes it and as it was
built there."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from springbench.host import git
from springbench.host.shell import Shell
from springbench.matrix.load import parse_matrix
from springbench.matrix.rows import Matrix
from springbench.matrix.toml_file import SERVICE_FILE, read_text
from springbench.measure.artifact import artifact_of
from springbench.plan.cases import every_variant
from springbench.results.comparison import SideInfo


def is_checkout(folder: Path) -> bool:
    """Whether a service stands there with its sources, and not some files of its build."""
    return (folder / SERVICE_FILE).is_file() or (folder / ".git").exists()


def described_in(folder: Path, given: Path) -> Matrix | None:
    """The matrix of the service in that folder; None where there is none to start.

    One without a file of its own, as before the file came, is described by the `given` one, if
    what that starts lies there. Raises `ConfigurationError` for a file that is wrong.
    """
    own = folder / SERVICE_FILE
    if own.is_file():
        return parse_matrix(read_text(own), str(own), folder)
    rows = parse_matrix(read_text(given), str(own), folder)
    place = folder.resolve()
    started = (artifact_of(variant, place, None) for variant in every_variant(rows))
    return rows if any(each.is_file() and place in each.parents for each in started) else None


def side_of(text: str, folder: Path, shell: Shell) -> SideInfo:
    """What the folder is: the commit that is checked out there, or files that no commit holds."""
    commit = git.head(folder, shell)
    if commit is None or commit.dirty:
        return SideInfo(kind="jars", label=text)
    known = {key: each for key, each in asdict(commit).items() if key not in ("branch", "dirty")}
    # where it was checked out is nobody's business but this host's
    short = commit.sha[:12]
    return SideInfo(kind="commit", label=f"{short} ({short})", **known)
