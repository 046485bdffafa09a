"""Bisecting: the commits of a range, measured in pairs until one is left, or noise forbids it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from springbench.analysis.halving import Answer, Halving, Share, share_of
from springbench.errors import BuildError, ConfigurationError
from springbench.results.base import Record
from springbench.results.comparison import FindingRecord
from springbench.results.store import write_atomically

STATE_FILE = "bisect.json"
_CHANGED = ("regression", "improvement")
# a pair and its warm-up take longer than what is left then
LEAST_STEP_S = 30.0


class BisectState(Record):
    """`bisect.json`: how far it is. `commits` begin after the good one and end with the bad one."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    good: str
    bad: str
    case: str
    metric: str
    commits: list[str]
    change: float | None = None
    """The whole change, bad ÷ good as a logarithm; None before both ends were measured."""
    answers: dict[int, Answer] = {}
    comparisons: list[str] = []
    measured_s: float = 0.0
    outcome: Literal["commit", "range", "no change", "unfinished"] = "unfinished"
    culprits: list[str] = []

    @property
    def halving(self) -> Halving:
        """The state of the search; place 0 is the good commit."""
        return Halving(len(self.commits), self.answers)

    def sha(self, place: int) -> str:
        """The commit at a place."""
        return self.commits[place - 1] if place else self.good


@dataclass(frozen=True)
class Measured:
    """What one comparison found; no finding where the pairs failed or there were too few."""

    id: str
    measured_s: float
    finding: FindingRecord | None


Measure = Callable[[str, str, float], Measured]
"""From base, head and seconds to what was found. Raises `BuildError` for what does not build."""


@dataclass(frozen=True)
class Bisection:
    """The driver. `folder` holds the state, which is written after each comparison."""

    state: BisectState
    folder: Path
    measure: Measure
    budget_s: float
    step_s: float
    say: Callable[[str], None]

    def run(self) -> BisectState:
        """Measure until there is an outcome, or the budget is spent."""
        if self.state.change is None and not self._ends():
            return self._ended("no change")
        while (place := self.state.halving.next) is not None:
            if self._left_s < LEAST_STEP_S:
                self.say("the budget is spent; --resume goes on with more")
                break
            self.say(_where(self.state, place))
            answer = self._ask(place)
            self.state.answers[place] = answer
            self._save()
            self.say(f"{self.state.sha(place)[:12]}: {_WORDS[answer]}")
        halving = self.state.halving
        self.state.culprits = [self.state.sha(p) for p in range(halving.good + 1, halving.bad + 1)]
        return self._ended("commit" if halving.is_split else "range")

    @property
    def _left_s(self) -> float:
        return self.budget_s - self.state.measured_s

    def _ends(self) -> bool:
        """Both ends again: many a search was spent on one outlier."""
        self.say(f"both ends first: {self.state.good[:12]} and {self.state.bad[:12]}")
        found = self._compare(self.state.good, self.state.bad)
        if found is None or found.verdict not in _CHANGED:
            return False
        self.state.change = math.log(found.ratio)
        self._save()
        self.say(f"{self.state.metric}: {found.ratio - 1:+.1%}; {_range(self.state)}")
        return True

    def _ask(self, place: int) -> Answer:
        """Against the good end, and where that does not tell against the bad one too."""
        answer: Answer = "unknown"
        for from_bad in (False, True):
            ends = (
                (self.state.sha(place), self.state.bad)
                if from_bad
                else (self.state.good, self.state.sha(place))
            )
            try:
                found = self._compare(*ends)
            except BuildError as error:
                self.say(f"left out: {error}")
                return "broken"
            if found is None:
                return "broken"
            answer = self._share(found, from_bad=from_bad).answer
            if answer != "unknown" or self._left_s < LEAST_STEP_S:
                break
        return answer

    def _share(self, found: FindingRecord, *, from_bad: bool) -> Share:
        assert self.state.change  # noqa: S101 - the ends were measured
        return share_of(
            self.state.change, found.ratio, found.low_ratio, found.high_ratio, from_bad=from_bad
        )

    def _compare(self, base: str, head: str) -> FindingRecord | None:
        measured = self.measure(base, head, min(self.step_s, self._left_s))
        self.state.measured_s += measured.measured_s
        self.state.comparisons.append(measured.id)
        self._save()
        return measured.finding

    def _ended(self, outcome: Literal["commit", "range", "no change"]) -> BisectState:
        self.state.outcome = outcome
        self._save()
        return self.state

    def _save(self) -> None:
        text = self.state.model_dump_json(by_alias=True, indent=2)
        write_atomically(self.folder / STATE_FILE, text + "\n")


def load_state(folder: Path) -> BisectState:
    """The state in a folder. Raises `ConfigurationError` that says what is wrong with it."""
    path = folder / STATE_FILE
    try:
        return BisectState.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(
            f"--resume {folder}: {STATE_FILE}: {error.strerror}; name the folder of a bisection"
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the file"
        raise ConfigurationError(
            f"{path}: {where}: {first['msg']}; it was cut short, changed, or written by another "
            "springbench: bisect anew"
        ) from error


_WORDS: dict[Answer, str] = {
    "good": "like the good one",
    "bad": "like the bad one",
    "unknown": "the pairs cannot tell",
    "broken": "not to be measured; its neighbours are",
}


def _range(state: BisectState) -> str:
    return f"{len(state.commits)} commits that a build reads lie between"


def _where(state: BisectState, place: int) -> str:
    halving = state.halving
    return f"{halving.bad - halving.good} commits are left; {state.sha(place)[:12]} is next"
