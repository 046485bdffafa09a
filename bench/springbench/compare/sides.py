"""What `compare` is asked to compare: a commit, a folder of jars, a variant or a stored run."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from springbench.build.maven import build
from springbench.errors import ConfigurationError
from springbench.host.shell import Shell
from springbench.host.tools.search import tools_dir
from springbench.matrix.rows import Matrix
from springbench.measure.services import upstream
from springbench.paths import ROOT
from springbench.plan.cases import Variant, every_variant
from springbench.plan.plan import Plan
from springbench.results.comparison import SideInfo
from springbench.results.store import RUN_FILE
from springbench.run.host import Tools

_GIT_TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Side:
    """One side before anything is started. `jars` and `root` say where its jars are."""

    info: SideInfo
    root: Path = ROOT
    jars: Path | None = None
    variant: Variant | None = None
    run: Path | None = None


def resolve(text: str, matrix: Matrix, shell: Shell) -> Side:
    """What a person means by `text`: a run, a folder of jars, a variant id or a git commit.

    Raises `ConfigurationError` that says what it could have been.
    """
    path = Path(text)
    if (path / RUN_FILE).is_file() or path.name == RUN_FILE:
        return Side(SideInfo(kind="run", label=text), run=path)
    if path.is_dir() and any(path.glob("*.jar")):
        return Side(SideInfo(kind="jars", label=text), jars=path.resolve())
    if variant := find_variant(text, matrix):
        return Side(SideInfo(kind="variant", label=text), variant=variant)
    if sha := _sha(text, shell):
        return Side(SideInfo(kind="commit", label=f"{text} ({sha[:12]})", sha=sha))
    raise ConfigurationError(
        f"{text!r} is no run folder, no folder with jars, no variant of matrix.toml and no commit "
        "of this repository; allowed: results/<run-id>, a folder of built jars, "
        "a variant such as boot4-tomcat-virtual-jvm, or anything that git resolves"
    )


def find_variant(text: str, matrix: Matrix) -> Variant | None:
    """The variant with that id, if the matrix has it."""
    return next((variant for variant in every_variant(matrix) if variant.id == text), None)


def provide_jars(
    side: Side, plan: Plan, tools: Tools, shell: Shell, notify: Callable[[str], None]
) -> Side:
    """Build what is to be built; a commit in a work tree of its own, kept for the next time."""
    if side.jars or side.run or tools.maven is None:
        return side
    if side.variant:
        modules = [side.variant.module] if side.variant.server.built_by == "maven" else []
    else:
        modules = list(plan.modules)
    root = _worktree(side.info.sha, shell) if side.info.sha else ROOT
    notify(f"{side.info.label}:")
    build([*modules, upstream.MODULE], tools.jdk, tools.maven, root, shell, notify)
    return Side(side.info, root=root, variant=side.variant)


def _worktree(sha: str, shell: Shell) -> Path:
    """A checkout of that commit below `.tools/`."""
    folder = tools_dir(ROOT) / "worktrees" / sha[:12]
    if folder.is_dir():
        if _git(["-C", str(folder), "rev-parse", "HEAD"], shell) == sha:
            return folder
        shutil.rmtree(folder)
    _git(["-C", str(ROOT), "worktree", "prune"], shell)
    if _git(["-C", str(ROOT), "worktree", "add", "--detach", str(folder), sha], shell) is None:
        raise ConfigurationError(f"git could not check out {sha[:12]} below .tools/worktrees")
    return folder


def _sha(text: str, shell: Shell) -> str | None:
    if text.startswith("-"):
        return None
    # a job's checkout has the other branches only as those of its remote
    for name in (text, f"refs/remotes/origin/{text}"):
        commit = f"{name}^{{commit}}"
        found = _git(["-C", str(ROOT), "rev-parse", "--verify", "--quiet", commit], shell)
        if found:
            return found
    return None


def _git(arguments: Sequence[str], shell: Shell) -> str | None:
    try:
        done = shell.run(["git", *arguments], timeout_s=_GIT_TIMEOUT_S)
    except OSError:
        return None
    return done.stdout.strip() if done.code == 0 else None
