"""Commits that may be the culprit: those between two whose build may differ."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from springbench.build.sources import Sources
from springbench.errors import ConfigurationError
from springbench.host import git
from springbench.host.shell import Shell
from springbench.paths import ROOT
from springbench.results.bisection import BisectCommit

_DIGEST_LENGTH = 16
_MESSAGE_LENGTH = 200
_UNSHALLOW = "this clone is shallow: `git fetch --unshallow` brings the rest of its past"


@dataclass(frozen=True)
class Candidates:
    """The good end first, then each commit whose sources differ from those of the one before."""

    commits: list[BisectCommit]
    passed_over: int


def check_ends(good: str, bad: str, shell: Shell) -> tuple[str, str]:
    """Full ids of both ends. Raises `ConfigurationError` where nothing lies between them."""
    ends = _commit_of("GOOD", good, shell), _commit_of("BAD", bad, shell)
    first, last = ends
    if first == last:
        raise ConfigurationError(
            f"GOOD {good!r} and BAD {bad!r} are the same commit, {first[:12]}: "
            "name a commit from before the change as GOOD"
        )
    if git.is_ancestor(first, last, ROOT, shell):
        return ends
    if git.is_ancestor(last, first, ROOT, shell):
        raise ConfigurationError(
            f"BAD {bad!r} is older than GOOD {good!r}: name the older one first. "
            "What got better again is found by a bisection of what came before it"
        )
    if git.is_shallow(ROOT, shell):
        raise ConfigurationError(f"GOOD {good!r} is not in the past of BAD {bad!r}; {_UNSHALLOW}")
    shared = git.common_ancestor(first, last, ROOT, shell)
    raise ConfigurationError(
        f"GOOD {good!r} is not in the past of BAD {bad!r}: "
        + (
            f"both come from {shared[:12]}, which may stand for GOOD"
            if shared
            else "they share no commit; name two of one branch"
        )
    )


def _commit_of(which: str, name: str, shell: Shell) -> str:
    if sha := git.commit_of(name, ROOT, shell):
        return sha
    known = f"; {_UNSHALLOW}" if git.is_shallow(ROOT, shell) else ""
    raise ConfigurationError(
        f"{which} {name!r}: no commit of this repository; allowed: a branch, a tag or an id{known}"
    )


def find_candidates(good: str, bad: str, sources: Sources, shell: Shell) -> Candidates:
    """Those between two ends that were checked. A single one means that no build differs."""
    way = git.between(good, bad, ROOT, shell)
    touching = set(git.between(good, bad, ROOT, shell, sources.paths))
    found = [_commit(good, sources, shell)]
    for sha in way:
        # the first may have come by a merge: then git tells what it changed in another branch
        if sha not in touching and sha != way[0]:
            continue
        commit = _commit(sha, sources, shell)
        if commit.sources != found[-1].sources:
            found.append(commit)
    return Candidates(found, len(way) - (len(found) - 1))


def _commit(sha: str, sources: Sources, shell: Shell) -> BisectCommit:
    files = git.files_of(sha, ROOT, shell, sources.paths)
    read = "\n".join(f"{each.content} {each.path}" for each in files if sources.have(each.path))
    facts = git.facts_of(sha, ROOT, shell)
    return BisectCommit(
        sha=sha,
        sources=hashlib.sha256(read.encode()).hexdigest()[:_DIGEST_LENGTH],
        message=facts.message[:_MESSAGE_LENGTH] if facts else "",
    )
