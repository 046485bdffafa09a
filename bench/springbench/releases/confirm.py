"""Checks the steps of a history of releases: two releases are measured side by side.

First the two that a step lies between, by another measurement than the one that raised it. Where
several lie between them, the range of a confirmed one is bisected, as one of commits is.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from springbench import units
from springbench.analysis.comparable import FAST_PROFILE, CasesOf, metrics_by_case
from springbench.analysis.confirming import (
    CASE_BUDGET_S,
    Measurements,
    PlannedBisection,
    plan_measurements,
)
from springbench.bench.assembly import BuildCache
from springbench.bisect.begin import new_bisection, plan_for
from springbench.bisect.drive import Driver
from springbench.compare.execute import LiveComparison, compare_live
from springbench.compare.sides import commit_side
from springbench.errors import BuildError, CaseError
from springbench.history.comparisons import read_comparisons
from springbench.host.shell import Shell
from springbench.matrix.rows import Matrix
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.releases.builds import Builds
from springbench.releases.history import ReleaseHistory
from springbench.releases.release import Release, release_distance
from springbench.report.bisection import lines as bisection_lines
from springbench.report.confirmations import lines
from springbench.report.headline import headline
from springbench.results.bisection import BisectCommit
from springbench.results.events import Event
from springbench.results.history_names import profile_of
from springbench.results.published_comparison import PublishedComparison, Purpose
from springbench.untrusted import one_line

logger = logging.getLogger(__name__)

PAIRS_PROFILE = "releases-pairs"
PAIRS_BUDGET_S, OWN_BUDGET_S = 150.0, 225.0
"""For one load of the profiles for pairs, of which three share a process: three pairs of processes
with every compiler take so long. For one of another profile, whose windows are longer."""
MEASURED_ENDS = 2
"""A range of no other releases has nothing to bisect."""


def pairs_profile(matrix: Matrix, own_profile: str) -> str:
    """The profile whose pairs are fast; its own where the matrix has no such one."""
    known = {profile.id for profile in matrix.profiles}
    return next((name for name in (PAIRS_PROFILE, FAST_PROFILE) if name in known), own_profile)


def neighbours_plan(matrix: Matrix, own: Plan, variants: Collection[str]) -> Plan:
    """How these variants of two releases are compared: by all loads of the profile for pairs, where
    it has those of the releases' `own` plan, else by these.
    """
    pairs = make_plan(matrix, pairs_profile(matrix, own.profile))
    has_own = {case.id for case in own.cases} <= {case.id for case in pairs.cases}
    cases = [
        case.id
        for case in (pairs if has_own else own).cases
        if case.variant.id in variants and own.filters.keeps(case.id)
    ]
    return make_plan(matrix, pairs.profile if has_own else own.profile, Filters(tuple(cases)))


def neighbours_budget_s(plan: Plan) -> float:
    """For all of them."""
    is_fast = plan.profile in (PAIRS_PROFILE, FAST_PROFILE)
    return (PAIRS_BUDGET_S if is_fast else OWN_BUDGET_S) * len(plan.cases)


@dataclass
class ReleaseChecker:
    """Compares releases as long as the budget of a day lasts."""

    history: ReleaseHistory
    releases: Sequence[Release]
    builds: Builds
    matrix: Matrix
    daily_s: float
    shell: Shell
    published: Sequence[str]
    """All releases that there are: between two that are measured others may lie."""
    interrupted: bool = False
    built: BuildCache = field(default_factory=dict)
    _done: set[tuple[str, str, str]] = field(default_factory=set)

    def compare_neighbours(self) -> None:
        """Each release with the one before it of its line, as a push is with its base."""
        known = {
            (comparison.base.sha, comparison.head.sha)
            for comparison in self._comparisons()
            if comparison.purpose == "push"
        }
        left = [
            (base, head)
            for base, head in neighbours(self.releases)
            if not any(base.sha.startswith(b) and head.sha.startswith(h) for b, h in known)
        ]
        for number, (base, head) in enumerate(left, start=1):
            if self.interrupted:
                return
            # only what is built of both can be started
            ready = [self.builds.release(release) for release in (base, head)]
            both = [set(build.plan.by_variant()) if build else set() for build in ready]
            if variants := both[0] & both[1]:
                plan = neighbours_plan(self.matrix, self.builds.plan, variants)
                budget_s = neighbours_budget_s(plan)
                most_s = budget_s * (len(left) - number + 1)
                logger.info(
                    f"\nneighbour {number} of {len(left)}, at most {units.duration(most_s)} left"
                )
                cases = [case.id for case in plan.cases]
                self._compare(base.sha, head.sha, cases, plan.profile, budget_s, "push")

    @property
    def _pairs(self) -> str:
        return pairs_profile(self.matrix, self.builds.plan.profile)

    def _fast(self, profile: str) -> str:
        """The profile for releases where a commit would be compared by that one."""
        return self._pairs if profile == FAST_PROFILE else profile

    def check(self) -> None:
        """Until nothing is left to compare, or the budget is used up."""
        while not self.interrupted and (self._confirm() or self._bisect()):
            pass
        for line in () if self.interrupted else lines(self._plan()):
            logger.info(line)

    def _confirm(self) -> bool:
        """Whether a candidate change was compared that had not been so in this way."""
        for confirmation in self._plan().comparisons:
            key = (
                confirmation.base,
                confirmation.head,
                f"{confirmation.profile} {confirmation.attempt}",
            )
            if key not in self._done:
                self._done.add(key)
                profile = self._fast(confirmation.profile)
                self._compare(
                    confirmation.base,
                    confirmation.head,
                    confirmation.cases,
                    profile,
                    confirmation.budget_s,
                )
                return True
        return False

    def _bisect(self) -> bool:
        """Whether a range of a confirmed step was bisected that had not been so in this way."""
        for bisection in self._plan().bisections:
            key = (bisection.good, bisection.bad, f"{bisection.event} {bisection.attempt}")
            shas = [release.sha for release in self.releases]
            between = self.releases[shas.index(bisection.good) : shas.index(bisection.bad) + 1]
            if key not in self._done and len(between) > MEASURED_ENDS:
                self._done.add(key)
                self._bisect_range(bisection, between)
                return True
        return False

    def _bisect_range(self, planned: PlannedBisection, between: Sequence[Release]) -> None:
        profile = self._fast(planned.profile)
        bisection = new_bisection(
            [
                BisectCommit(sha=release.sha, sources=release.sha, message=release.name)
                for release in between
            ],
            planned.metric,
            plan_for(self.matrix, profile, planned.case, planned.metric),
            planned.budget_s,
            CASE_BUDGET_S,
            direction=planned.direction,
        )

        def compare(base: BisectCommit, head: BisectCommit, budget_s: float) -> LiveComparison:
            return self._compare(base.sha, head.sha, (planned.case,), profile, budget_s, "bisect")

        folder = self.history.path / "bisections" / bisection.id
        folder.mkdir(parents=True, exist_ok=True)
        try:
            Driver(bisection, folder, compare).drive()
        except KeyboardInterrupt:
            self.interrupted = True
        except (BuildError, CaseError) as error:
            logger.info(one_line(str(error)))
        for line in bisection_lines(bisection):
            logger.info(line)

    def _compare(
        self,
        base: str,
        head: str,
        cases: Sequence[str],
        profile: str,
        budget_s: float,
        purpose: Purpose = "confirm",
    ) -> LiveComparison:
        plan = make_plan(self.matrix, profile, Filters(only=tuple(cases)))
        named = {release.sha: release for release in self.releases}
        ends = [named[base], named[head]]
        sides = [commit_side(release.name, release.sha, self.shell) for release in ends]
        logger.info(f"\n{ends[0].name} beside {ends[1].name}, profile {profile}:")
        live = compare_live(
            sides,
            plan,
            budget_s,
            self.history.comparisons(purpose),
            self.shell,
            explain=True,
            built=self.built,
            apart=release_distance(ends[0].version, ends[1].version, self.published),
        )
        self.interrupted = live.interrupted
        logger.info(one_line(headline(live.comparison.statements, ends[1].name)))
        self.history.add_comparison(live.folder, purpose, self.shell)
        return live

    def _plan(self) -> Measurements:
        events = self._events()
        return plan_measurements(
            events,
            self._comparisons(),
            self._cases_of(events),
            self._reachable,
            self.daily_s,
            datetime.now(UTC),
            directions=frozenset(("regression", "improvement")),
        )

    def _events(self) -> list[Event]:
        index = self.history.index
        return index.events if index else []

    def _comparisons(self) -> list[PublishedComparison]:
        return read_comparisons(self.history.files)

    def _cases_of(self, events: Sequence[Event]) -> CasesOf:
        named = {
            profile_of(affected.configuration)
            for event in events
            for affected in event.affected_series
        }
        profiles = named & {profile.id for profile in self.matrix.profiles}
        plans = {profile: make_plan(self.matrix, profile) for profile in profiles}
        plans[FAST_PROFILE] = make_plan(self.matrix, self._pairs)
        return {profile: metrics_by_case(plan.cases) for profile, plan in plans.items()}

    def _reachable(self, sha: str) -> str | None:
        """A history names commits in short; only those of these releases are measured."""
        return next((release.sha for release in self.releases if release.sha.startswith(sha)), None)


def neighbours(releases: Sequence[Release]) -> list[tuple[Release, Release]]:
    """Each release with the one before it of the same line."""
    return [(base, head) for base, head in itertools.pairwise(releases) if base.line == head.line]
