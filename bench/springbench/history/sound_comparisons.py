"""Which comparisons are fit to be published. One that is not costs the others nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.condense_comparison import Occasion, condense_comparison, needs_facts
from springbench.history.soundness import FactsOf, time_in_order
from springbench.results.comparison import Comparison, SideInfo
from springbench.results.published_comparison import PublishedComparison
from springbench.results.untrusted import find_comparisons, load_comparison
from springbench.untrusted import sanitise


@dataclass
class SoundComparisons:
    """Comparisons to publish, and a line for all that is left out."""

    kept: list[PublishedComparison] = field(default_factory=list)
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
        sound.kept.append(condensed.comparison)
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
