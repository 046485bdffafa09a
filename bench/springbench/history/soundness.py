"""Which of a run's shards are fit to be published. One that is not costs the others nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from springbench.errors import ConfigurationError
from springbench.history.condense import condense, has_drifted, is_finished, utc
from springbench.history.plausible import impossible, in_the_future
from springbench.results.run import Run
from springbench.results.store import load_run
from springbench.untrusted import sanitise


@dataclass
class Shards:
    """Runs to publish, and a line for each that is left out or not whole."""

    kept: list[Run] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    not_whole: list[str] = field(default_factory=list)


def _but_for_the_impossible(run: Run, left_out: list[str]) -> Run:
    """The run without results that nothing can have measured; a line for each of them."""
    reasons = {result.case: impossible(result) for result in run.results}
    left_out += [
        f"{case} of {run.run.id} is left out: {reason}"
        for case, reason in reasons.items()
        if reason
    ]
    kept = [result for result in run.results if not reasons[result.case]]
    return run.model_copy(update={"results": kept})


def sound_shards(paths: Sequence[Path], *, force: bool = False) -> Shards:
    """Read the folders of a run's shards.

    What drifted is off as a whole, and left out unless `force`. What did not finish is sound as far
    as it came. Raises `ConfigurationError` where nothing is left.
    """
    shards = Shards()
    for path in paths:
        try:
            run = load_run(path)
            began_at = utc(run.run.started_at)
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
        if in_the_future(began_at):
            shards.left_out.append(
                f"{run.run.id} is left out: it began at {run.run.started_at}, which is still to "
                "come; set the clock of its host, and measure again"
            )
            continue
        shards.kept.append(_but_for_the_impossible(run, shards.left_out))
        if not is_finished(run):
            shards.not_whole.append(
                f"{run.run.id} is published as far as it came, marked: its plan did not finish "
                "(`springbench run --resume` finishes a run)"
            )
    if not shards.kept:
        raise ConfigurationError(f"nothing is published: {'; '.join(shards.left_out)}")
    return shards
