"""Which shards of a run and which comparisons are fit to be published. One that is not costs the
others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.condense import condense, has_drifted, is_finished, utc
from springbench.history.condense_comparison import Occasion, condense_comparison, needs_facts
from springbench.history.plausible import before_its_commit, impossible, in_the_future, wrong_clock
from springbench.host.git import CommitFacts
from springbench.results.comparison import Comparison, SideInfo
from springbench.results.published_comparison import PublishedComparison
from springbench.results.run import DIRTY, NO_COMMIT, Run
from springbench.results.store import load_continued, load_run
from springbench.results.untrusted import find_comparisons, load_comparison
from springbench.untrusted import sanitise

FactsOf = Callable[[str], CommitFacts | None]
_LONGEST = 400


@dataclass
class Shards:
    """Runs to publish, and a line for each that is left out, not whole, or never evaluated."""

    runs: list[Run] = field(default_factory=list)
    earlier: list[Run] = field(default_factory=list)
    """Those that they continue."""
    left_out: list[str] = field(default_factory=list)
    not_whole: list[str] = field(default_factory=list)
    not_evaluated: list[str] = field(default_factory=list)


def time_in_order(recorded: str, facts: CommitFacts) -> str:
    """When a commit was made, by what a file and a clone of its repository say.

    The later one: a clone without the commit's ancestors knows of no clock that was off. But a
    clock that cannot be right tells nothing.
    """
    known = utc(facts.time)
    return known if in_the_future(utc(recorded)) else max(utc(recorded), known)


def why_not_evaluated(run: Run) -> str | None:
    """Why no history looks for steps in a run, and what to do; None where it does."""
    caution = next(
        (caution for caution in run.warnings if caution.code in (NO_COMMIT, DIRTY)), None
    )
    if caution:
        remedy = f"; {caution.remedy}" if caution.remedy else ""
        return sanitise(f"{caution.message}{remedy}", _LONGEST)
    if run.commit is None:
        return "it is of no commit; measure in a checkout of the repository that git reads"
    if run.commit.dirty:
        return "tracked files differ from its commit; commit or restore them, and measure again"
    if has_drifted(run):
        return "the host had drifted; measure again"
    return None


def _in_order(run: Run, facts_of: FactsOf) -> Run:
    facts = facts_of(run.commit.sha) if run.commit else None
    if run.commit is None or facts is None:
        return run
    commit = run.commit.model_copy(update={"time": time_in_order(run.commit.time, facts)})
    return run.model_copy(update={"commit": commit})


def _without_the_impossible(run: Run, left_out: list[str]) -> Run:
    """The run without results that nothing can have measured; a line for each of them."""
    reasons = {result.case: impossible(result) for result in run.results}
    left_out += [
        f"{case} of {run.run.id} is left out: {reason}"
        for case, reason in reasons.items()
        if reason
    ]
    results = [result for result in run.results if not reasons[result.case]]
    return run.model_copy(update={"results": results})


def sound_shards(
    paths: Sequence[Path], facts_of: FactsOf = lambda _: None, *, force: bool = False
) -> Shards:
    """Read the folders of a run's shards.

    What drifted is off as a whole, and left out unless `force`. What did not finish is sound as far
    as it came. `facts_of` knows when commits were made as their ancestors tell. Raises
    `ConfigurationError` where nothing is left.
    """
    shards = Shards()
    for path in paths:
        try:
            run = _in_order(load_run(path), facts_of)
            began_at = utc(run.run.started_at)
            made_at = utc(run.commit.time) if run.commit else began_at
            # alone: what cannot be published of one takes no other with it
            condense([run])
        except ConfigurationError as error:
            if len(paths) == 1:
                raise
            shards.left_out.append(f"{sanitise(path.name)} is left out: {error}")
            continue
        if has_drifted(run) and not force:
            shards.left_out.append(
                f"{run.run.id} is left out: the canary says that the host had drifted "
                "(`springbench report` shows by how much); --force publishes it, marked"
            )
            continue
        if why := wrong_clock(began_at) or before_its_commit(began_at, made_at):
            shards.left_out.append(
                f"{run.run.id} is left out: it began at {run.run.started_at}, which {why}; set the "
                "clock of its host, and measure again"
            )
            continue
        if why := why_not_evaluated(run):
            shards.not_evaluated.append(f"{run.run.id} is published and never evaluated: {why}")
        shards.runs.append(_without_the_impossible(run, shards.left_out))
        try:
            shards.earlier += load_continued(path, run)
        except ConfigurationError as error:
            shards.not_whole.append(
                f"{run.run.id} is published without its answer, of which other runs are a part: "
                f"{error}"
            )
        if not is_finished(run):
            shards.not_whole.append(
                f"{run.run.id} is published as far as it came, marked: its plan did not finish "
                "(`springbench run --resume` finishes a run)"
            )
    if not shards.runs:
        raise ConfigurationError(f"nothing is published: {'; '.join(shards.left_out)}")
    return shards


@dataclass
class SoundComparisons:
    """Comparisons to publish, and a line for all that is left out."""

    comparisons: list[PublishedComparison] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def sound_comparisons(
    paths: Sequence[Path], occasion: Occasion, facts_of: FactsOf, *, force: bool = False
) -> SoundComparisons:
    """Read files, folders of comparisons, and folders of such folders.

    `facts_of` knows the commits of which an older file says no more than the hash, and when the
    others were made as their ancestors tell.
    """
    sound = SoundComparisons()
    for file in _files(paths, sound.left_out):
        try:
            comparison = _with_facts(load_comparison(file), facts_of)
            condensed = condense_comparison(comparison, occasion, force=force)
        except ConfigurationError as error:
            sound.left_out.append(f"{_name(file)} is left out: {sanitise(str(error), 400)}")
            continue
        sound.comparisons.append(condensed.comparison)
        sound.left_out += [f"{condensed.comparison.id}: {line}" for line in condensed.left_out]
    return sound


def _files(paths: Sequence[Path], left_out: list[str]) -> Iterator[Path]:
    for path in paths:
        try:
            files, without = find_comparisons(path)
        except (ConfigurationError, OSError) as error:
            left_out.append(f"{_name(path)} is left out: {sanitise(str(error), 400)}")
            continue
        yield from files
        left_out += [
            f"{sanitise(name)} {reason or 'holds no comparison'}"
            for name, reason in without.items()
        ]
        if not files and not without:
            left_out.append(f"{_name(path)} holds no comparison; `springbench compare` makes one")


def _name(path: Path) -> str:
    return sanitise("/".join(path.parts[-2:]))


def _with_facts(comparison: Comparison, facts_of: FactsOf) -> Comparison:
    sides = {"base": comparison.base, "head": comparison.head}
    return comparison.model_copy(
        update={name: _side_with_facts(side, facts_of) for name, side in sides.items()}
    )


def _side_with_facts(side: SideInfo, facts_of: FactsOf) -> SideInfo:
    facts = facts_of(side.sha or "") if side.kind == "commit" else None
    if facts and side.time and not needs_facts(side):
        return side.model_copy(update={"time": time_in_order(side.time, facts)})
    return side.model_copy(update=asdict(facts)) if facts and needs_facts(side) else side
