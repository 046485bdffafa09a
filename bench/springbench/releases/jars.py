"""The jars of each release, built in work trees of their own and kept."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from springbench.build.maven import build
from springbench.errors import BuildError, HostError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.host.tools.search import tools_dir
from springbench.paths import ROOT
from springbench.plan.plan import Plan
from springbench.releases.release import Release
from springbench.run.tools import Tools
from springbench.untrusted import one_line

Say = Callable[[str], None]
_FIRST_LINES = 2
# group:artifact:type:version, with a classifier at times
_NOT_FOUND = re.compile(r"Could not find artifact ((?:[\w.-]+:){3,4}[\w.-]+)")


def work_tree(release: Release, shell: Shell) -> Path:
    """The folder with the sources of a release: the one that `compare` builds it in, too."""
    root = tools_dir(ROOT) / "worktrees" / release.sha[:12]
    git.check_out(release.sha, root, ROOT, shell)
    return root


@dataclass(frozen=True)
class BuiltRelease:
    """The folder with the jars of a release, that of its sources, and why others are missing."""

    jars: Path
    sources: Path
    missing: Mapping[str, str]
    """By Maven module: the line that says why it could not be built."""


def build_release(
    release: Release, plan: Plan, tools: Tools, shell: Shell, say: Say
) -> BuiltRelease:
    """Build what the plan needs. A server that does not build costs no other one."""
    maven = tools.builder
    root, folder = work_tree(release, shell), tools_dir(ROOT) / "releases" / release.sha[:12]
    say(f"{release.name}:")
    missing: dict[str, str] = {}
    try:
        build(plan.modules, tools.jdk, maven, root, shell, say)
    except (BuildError, HostError):
        # one by one, to know which of them it is
        for module in plan.modules:
            try:
                build([module], tools.jdk, maven, root, shell, say)
            except (BuildError, HostError) as error:
                missing[module] = reason_of(error)
    folder.mkdir(parents=True, exist_ok=True)
    for case in plan.cases:
        variant = case.variant
        built = root / variant.module / variant.artifact
        if variant.module not in missing and built.is_file():
            _link(built, folder / built.name)
    return BuiltRelease(folder, root, missing)


def _link(built: Path, place: Path) -> None:
    """The same file under another name: a release's jars are large, and there are many."""
    place.unlink(missing_ok=True)
    try:
        os.link(built, place)
    except OSError:
        shutil.copy2(built, place)


def reason_of(error: BuildError | HostError) -> str:
    """The part of an error that says most: which artifact there is none of, if that is it."""
    if found := _NOT_FOUND.search(str(error)):
        return f"{found[1]} is not published"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(" ".join(lines[:_FIRST_LINES]))
