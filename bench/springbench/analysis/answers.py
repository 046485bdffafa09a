"""The answer to a question: what the steps of its ladder differ by. Pure.

For each subject (a server, mostly) the steps are the treatments of a block design, and a round of
fresh processes is a block (block_design.py). The intervals of one subject's steps hold together at
95 %. What is no evidence is left out as in a ranking: what was not warmed up or bounded by the load
generator, and windows that the host disturbed. Rounds of several runs are blocks of their own:
steps that never met in a round are not compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from springbench import units
from springbench.analysis.block_design import Fit, fit, half_widths, noise
from springbench.analysis.comparison.verdicts import Compared
from springbench.analysis.intervals import Interval, Spread, median_interval, values_of
from springbench.analysis.ranking import evaluated_metrics, is_interleaved, logs_of
from springbench.limits import MEMORY_LIMIT_BYTES
from springbench.plan.cases import Case
from springbench.results.claims import StepComparison
from springbench.results.metrics import BY_NAME, Metric
from springbench.results.published_answers import StepVerdict
from springbench.results.questions import Question
from springbench.results.records import ANSWERS_PER_CONNECTION_MIN, ForkRecord
from springbench.results.run import BottleneckKind, Caution, Result, Run

# a host that did this to a window says nothing of its server
_DISTURBED = frozenset({"stolen", "disturbed"})
# more than a case can have forks: rounds of several runs are numbered one after the other
_MOST_ROUNDS = 1000
NO_RESULT = "no run has it"
# of log(step ÷ baseline) in one round, before that round decides a step of a cliff
_ONCE_DEVIATIONS = 2.0

Logs = dict[str, dict[int, float]]
Verdict = StepVerdict


@dataclass(frozen=True)
class Ratio:
    """A step ÷ the baseline, with its interval at 95 %; no edges where a single round has both."""

    ratio: float
    low: float | None = None
    high: float | None = None

    @property
    def verdict(self) -> Verdict:
        """Only where the interval leaves out 1 do they differ."""
        if self.low is None or self.high is None:
            return "once"
        if self.low <= 1 <= self.high:
            return "tied"
        return "higher" if self.ratio > 1 else "lower"


@dataclass(frozen=True)
class Row:
    """A step of one subject.

    `processes` were started, and of `counted` the load is evidence. `values` has the median over
    processes with its interval, of each metric that counts; `ratios` what can be compared with the
    baseline. `left_out` says which of its loads are no evidence and why; `missing` why a metric has
    no value, `not_measured` why none has.
    """

    case: str
    subject: str
    step: str
    processes: int = 0
    counted: int = 0
    values: Mapping[str, Interval] = field(default_factory=dict)
    ratios: Mapping[str, Ratio] = field(default_factory=dict)
    bottleneck: str | None = None
    bottleneck_kind: BottleneckKind | None = None
    warnings: tuple[Caution, ...] = ()
    left_out: tuple[str, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)
    not_measured: str | None = None
    failed: bool = False
    """Whether that is because it did not run: it did not start, or ended under load."""

    def verdict(self, metric: str) -> Verdict:
        """What is known of a metric relative to the baseline."""
        if self.failed:
            return "failed"
        return self.ratios[metric].verdict if metric in self.ratios else "unknown"


@dataclass(frozen=True)
class Answer:
    """The rows of a question, subject after subject, in the order of the ladder.

    `rounds`: the most in which steps of one subject met. `interleaved`: whether they were loaded
    alternately there, and not one after the other.
    """

    question: StepComparison
    rows: tuple[Row, ...]
    rounds: int
    interleaved: bool
    cliffs: tuple[Cliff, ...] = ()
    """Of each subject, where the question looks for one."""

    def step(self, step: str) -> list[Row]:
        """The rows of a step."""
        return [row for row in self.rows if row.step == step]


def answer(question: Question, cases: Sequence[Case], runs: Sequence[Run]) -> Answer:
    """The answer to a question whose profile has these cases, from runs that have some of them."""
    subjects = subjects_of(question, cases)
    if question.locate is None or not runs:
        return compare(question, subjects, runs)
    measured = {
        subject: {
            step: case
            for step, case in subject_cases.items()
            if any(run.find(case.id) for run in runs)
        }
        for subject, subject_cases in subjects.items()
    }
    found = compare(
        question,
        {subject: subject_cases for subject, subject_cases in measured.items() if subject_cases},
        runs,
    )
    return replace(found, cliffs=tuple(_cliffs(question, subjects, found.rows, runs)))


def compare(
    question: StepComparison,
    subjects: Mapping[str, Mapping[str, Case]],
    runs: Sequence[Run],
    *,
    pools_runs: bool = False,
) -> Answer:
    """As `answer`; `subjects` has the cases of each by step, in the order of the ladder.

    `pools_runs`: noise is taken from all cases of these runs that had the same load.
    """
    ladders = [
        _Ladder(question, subject, cases, tuple(_results(cases, run) for run in runs))
        for subject, cases in subjects.items()
    ]
    compared = {
        name: _compare(ladders, name, runs if pools_runs else ()) for name in question.metrics
    }
    rows = [ladder.row(step, compared) for ladder in ladders for step in ladder.cases]
    return Answer(
        question,
        tuple(rows),
        rounds=max((metric.rounds for metric in compared.values()), default=0),
        interleaved=any(ladder.steps_alternate for ladder in ladders),
    )


def hides_memory(run: Run) -> bool:
    """Whether its memory limit is another than the names of its cases say."""
    return run.host.limits.memory_limit_bytes != MEMORY_LIMIT_BYTES


def has_own_options(case: Case, result: Result) -> bool:
    """Whether the JVMs of a result ran with the options that the case has."""
    return result.planned is None or result.planned.java_options == [*case.java_options]


def can_answer(
    cases: Sequence[Case], run: Run, step_of: Callable[[Case], str], *, compares_memory: bool
) -> bool:
    """Whether a run, of whatever profile, has measured two steps, each as its case says.

    `compares_memory`: the steps are memory limits, which a limit of the whole run hides.
    """
    if compares_memory and hides_memory(run):
        return False
    found = [(case, result) for case in cases if (result := run.find(case.id))]
    steps = {step_of(case) for case, result in found if result.summary}
    return len(steps) > 1 and all(has_own_options(case, result) for case, result in found)


def _cliffs(
    question: Question,
    subjects: Mapping[str, Mapping[str, Case]],
    rows: Sequence[Row],
    runs: Sequence[Run],
) -> Iterator[Cliff]:
    for subject, cases in subjects.items():
        subject_rows = {row.step: row for row in rows if row.subject == subject}
        if not subject_rows:
            continue
        # what has to run, must do so in every process
        fails = {
            step: not question.locate and any(_failed(run, row.case) for run in runs)
            for step, row in subject_rows.items()
        }
        tried = {
            step: Tried(
                False if fails[step] else _holds(question, row),
                sum(run.find(row.case) is not None for run in runs),
                row.not_measured or next(iter(row.left_out), None),
                _leans(question, row),
            )
            for step, row in subject_rows.items()
        }
        yield find_cliff(subject, list(cases), tried, runs_of_least(question))


def _failed(run: Run, case_id: str) -> bool:
    """Whether a process of a case failed."""
    result = run.find(case_id)
    return result is not None and any(fork.status == "failed" for fork in result.forks)


def _holds(question: Question, row: Row) -> bool | None:
    """Whether a step has the part of the baseline's first metric that is looked for."""
    if row.failed:
        return False
    if row.step == question.baseline or not question.locate:
        return True if row.not_measured is None else None
    ratio = row.ratios.get(question.metrics[0])
    if ratio is None:
        return None
    low, high = ratio.low, ratio.high
    if low is None or high is None:
        # of one pair alone: identical processes can lie that far apart
        known = BY_NAME[question.metrics[0]].noise
        apart = math.exp(_ONCE_DEVIATIONS * ((known.busy if known else None) or 0.0))
        low, high = ratio.ratio / apart, ratio.ratio * apart
    if low < question.locate <= high:
        # with an interval that includes it, nothing is decided
        return None
    return ratio.ratio >= question.locate


def _leans(question: Question, row: Row) -> bool | None:
    """What the middle of the interval says where the whole of it does not decide."""
    ratio = row.ratios.get(question.metrics[0])
    return None if ratio is None or not question.locate else ratio.ratio >= question.locate


def axes_of(case: Case) -> dict[str, str]:
    """What a case is made of, by axis, first what people call it by."""
    variant, protocol = case.variant, case.protocol.id
    return {
        "server": variant.server.id,
        "model": variant.model.id,
        "workload": case.workload.id.removesuffix(f"-{protocol}"),
        "connections": f"{case.connections} connections",
        "runtime": variant.runtime.id,
        "protocol": protocol,
        **case.settings,
        "boot": variant.boot,
    }


def subjects_of(question: Question, cases: Sequence[Case]) -> dict[str, dict[str, Case]]:
    """The cases of each subject by step, in the order of the ladder."""
    found: dict[tuple[str, ...], dict[str, Case]] = {}
    for case in cases:
        axis_values = axes_of(case)
        step = axis_values.pop(question.axis)
        if step in question.steps:
            names = (_name(case, axis) or value for axis, value in axis_values.items())
            found.setdefault(tuple(names), {})[step] = case
    names_apart = _names(list(found))
    return {
        name: {step: subject_cases[step] for step in question.steps if step in subject_cases}
        for name, subject_cases in zip(names_apart, found.values(), strict=True)
    }


def _name(case: Case, axis: str) -> str | None:
    """What people call a case's server and runtime."""
    return {
        "server": case.variant.server.name,
        "runtime": case.variant.runtime.name,
    }.get(axis)


def _names(subjects: Sequence[tuple[str, ...]]) -> list[str]:
    """Names of the subjects, of no more axes than tell them apart: `Tomcat`, `Tomcat pay`."""
    chosen = [0]

    def parts(indices: Sequence[int]) -> list[tuple[str, ...]]:
        return [tuple(subject[index] for index in indices) for subject in subjects]

    for index in range(1, len(subjects[0]) if subjects else 0):
        if len(set(parts([*chosen, index]))) > len(set(parts(chosen))):
            chosen.append(index)
    return [" ".join(name_parts) for name_parts in parts(chosen)]


def _results(cases: Mapping[str, Case], run: Run) -> dict[str, Result]:
    """What a run has of a ladder, by step."""
    found = {step: run.find(case.id) for step, case in cases.items()}
    return {step: result for step, result in found.items() if result is not None}


@dataclass(frozen=True)
class _Ladder:
    """One subject: its cases by step, and what each run has of them."""

    question: StepComparison
    subject: str
    cases: Mapping[str, Case]
    runs: tuple[Mapping[str, Result], ...]

    def is_interleaved(self, run: Mapping[str, Result]) -> bool:
        """Whether the loads of its steps alternated with others in that run."""
        return any(is_interleaved(fork) for result in run.values() for fork in result.forks)

    @property
    def steps_alternate(self) -> bool:
        """Whether its steps were loaded alternately: in one stage of rounds that are."""
        one_stage = len({case.stage for case in self.cases.values()}) == 1
        return one_stage and any(map(self.is_interleaved, self.runs))

    def metric(self, name: str) -> Compared | None:
        """A metric with what is known of its noise here; None where it is not compared."""
        results = [result for run in self.runs for result in run.values()]
        known = evaluated_metrics(results[0]) if results else iter(())
        return next((metric for metric in known if metric.name == name), None)

    def logs(self, metric: Compared) -> Logs:
        """Logarithms of a metric by step and round, of steps that met the baseline in a round."""
        found: Logs = {}
        for number, run in enumerate(self.runs):
            evidence = {result.case: _evidence(result) for result in run.values()}
            logs = logs_of(list(evidence.values()), metric, interleaved=self.is_interleaved(run))
            for step, result in run.items():
                for fork, value in logs.get(result.case, {}).items():
                    found.setdefault(step, {})[number * _MOST_ROUNDS + fork] = value
        baseline = found.get(self.question.baseline, {})
        return {
            step: step_logs
            for step, step_logs in found.items()
            if step_logs.keys() & baseline.keys()
        }

    def row(self, step: str, compared: Mapping[str, _Compared]) -> Row:
        """What is known of a step."""
        case = self.cases[step]
        results = [run[step] for run in self.runs if step in run]
        forks = [fork for result in results for fork in result.forks]
        good = [fork for fork in forks if fork.status == "ok"]
        counted = [fork for result in results for fork in _evidence(result).forks if fork.load]
        row = Row(
            case=case.id,
            subject=self.subject,
            step=step,
            processes=len(forks),
            counted=len(counted),
        )
        if not good:
            failed = [result for result in results if result.status == "failed"]
            reasons = [result.reason for result in failed or results if result.reason]
            return replace(
                row, not_measured=reasons[0] if reasons else NO_RESULT, failed=bool(failed)
            )
        values, missing = {}, {}
        for name in self.question.metrics:
            found = [value for result in results for value in _values(BY_NAME[name], result)]
            if found:
                values[name] = median_interval(found)
            elif reason := _why_missing(BY_NAME[name], good):
                missing[name] = reason
        bottlenecks = [result.bottleneck for result in results if result.bottleneck]
        ratios = {name: comparison.ratios.get(case.id) for name, comparison in compared.items()}
        return replace(
            row,
            values=values,
            ratios={name: ratio for name, ratio in ratios.items() if ratio is not None},
            bottleneck="; ".join(dict.fromkeys(found.label for found in bottlenecks)) or None,
            bottleneck_kind=bottlenecks[0].kind if bottlenecks else None,
            warnings=(
                *(caution for result in results for caution in result.warnings),
                *_above_limit(case, values.get("memory_peak_bytes")),
            ),
            left_out=tuple(_left_out(results)),
            missing=missing,
        )


def _above_limit(case: Case, peak: Interval | None) -> Iterator[Caution]:
    limit_bytes = case.variant.memory_bytes
    if peak and limit_bytes and peak.middle > limit_bytes:
        yield Caution(
            code="above-limit",
            message=f"its peak memory is above its limit of {units.memory_limit(limit_bytes)}: "
            "resident pages of files that another process had read before, as those of the JDK, "
            "are charged to that one",
            remedy=None,
        )


@dataclass(frozen=True)
class _Compared:
    """Ratios of a metric to the baseline by case, and the most rounds behind one of them."""

    ratios: Mapping[str, Ratio]
    rounds: int


def _compare(ladders: Sequence[_Ladder], name: str, runs: Sequence[Run]) -> _Compared:
    """All ladders by one metric; identical processes differ alike in all that are alike, and in
    all cases of `runs` with that load."""
    known = [(ladder, metric) for ladder in ladders if (metric := ladder.metric(name)) is not None]
    logs = [ladder.logs(metric) for ladder, metric in known]
    fits = [fit(ladder_logs) for ladder_logs in logs]
    spreads: dict[float, list[Spread]] = {}
    for (_, metric), fitted in zip(known, fits, strict=True):
        if fitted:
            spreads.setdefault(metric.usual_spread, []).append(fitted.residual)
    for ladder, metric in known:
        if of_runs := list(_spreads_of_runs(ladder, metric, runs)):
            spreads[metric.usual_spread] = of_runs
    pooled = {usual: Spread.pooled(residuals) for usual, residuals in spreads.items()}
    ratios: dict[str, Ratio] = {}
    rounds = 0
    for (ladder, metric), ladder_logs, fitted in zip(known, logs, fits, strict=True):
        baseline = ladder.question.baseline
        if fitted:
            # a ratio varies as two processes do
            usual, pooled_spread = metric.usual_spread, pooled[metric.usual_spread]
            residual = noise(fitted.residual, usual / math.sqrt(2), pooled_spread)
            found = _with_intervals(fitted, residual, baseline)
            rounds = max(rounds, fitted.blocks)
        else:
            found = _of_one_round(ladder_logs, baseline)
            rounds = max(rounds, int(bool(found)))
        ratios |= {ladder.cases[step].id: ratio for step, ratio in found.items()}
    return _Compared(ratios, rounds)


def _spreads_of_runs(ladder: _Ladder, metric: Compared, runs: Sequence[Run]) -> Iterator[Spread]:
    """Of each run, that of all its cases which had the load of a ladder."""
    loads = {(case.workload.id, case.connections) for case in ladder.cases.values()}
    for run in runs:
        results = [
            _evidence(result)
            for result in run.results
            if (result.workload, result.connections) in loads
        ]
        interleaved = any(is_interleaved(fork) for result in results for fork in result.forks)
        if fitted := fit(logs_of(results, metric, interleaved=interleaved)):
            yield fitted.residual


def _with_intervals(fitted: Fit, residual: Spread, baseline: str) -> dict[str, Ratio]:
    widths = half_widths(fitted, residual)
    base = fitted.treatments.index(baseline)
    found = {}
    for index, step in enumerate(fitted.treatments):
        difference, half = fitted.levels[index] - fitted.levels[base], widths[index][base]
        if index != base:
            edges = (math.exp(difference + sign * half) for sign in (-1, 1))
            found[step] = Ratio(math.exp(difference), *edges)
    return found


def _of_one_round(logs: Logs, baseline: str) -> dict[str, Ratio]:
    """Of steps that met the baseline once: how processes differ by themselves is not known."""
    base = logs.get(baseline, {})
    return {
        step: Ratio(math.exp(step_logs[number] - base[number]))
        for step, step_logs in logs.items()
        if step != baseline
        for number in sorted(step_logs.keys() & base.keys())[:1]
    }


def _evidence(result: Result) -> Result:
    """The result without loads that the host disturbed, or that were not warmed up."""
    forks = [
        fork.model_copy(update={"load": None})
        if _is_disturbed(fork) or (fork.load and fork.load.compiling)
        else fork
        for fork in result.forks
    ]
    return result.model_copy(update={"forks": forks})


def _is_disturbed(fork: ForkRecord) -> bool:
    return fork.load is not None and not _DISTURBED.isdisjoint(fork.load.instability)


def _values(metric: Metric, result: Result) -> list[float]:
    """A metric of the processes of which it counts."""
    if metric.stage == "case" and result.unranked:
        return []
    forks = _evidence(result).forks
    if metric.per_connection:
        forks = [fork for fork in forks if fork.load is not None and fork.load.is_long]
    return values_of(metric, forks)


def _why_missing(metric: Metric, forks: Sequence[ForkRecord]) -> str | None:
    """Why no process has a metric; None where another line says it."""
    loads = [fork.load for fork in forks if fork.load]
    answers = [count for load in loads if (count := load.answers_per_connection) is not None]
    if metric.per_connection and answers and max(answers) < ANSWERS_PER_CONNECTION_MIN:
        return (
            f"a connection had {max(answers):.1f} answers on average; only from "
            f"{ANSWERS_PER_CONNECTION_MIN} on was one without any passed over, and did not just "
            "come late"
        )
    keys = (metric.name, f"load.{metric.name}")
    return next((fork.missing[key] for fork in forks for key in keys if key in fork.missing), None)


def _left_out(results: Sequence[Result]) -> Iterator[str]:
    """Which of its processes are no evidence, and why."""
    for result in results:
        if result.unranked and result.bottleneck:
            yield result.bottleneck.label
        forks = len(result.forks)
        if disturbed := sum(map(_is_disturbed, result.forks)):
            yield f"the host disturbed {disturbed} of {forks} processes"
        if failed := sum(fork.status == "failed" for fork in result.forks):
            yield f"{failed} of {forks} processes failed: {result.reason}"


# --- Where a ladder of settings has its cliff, by bisection ---------------------------------------


# of a step of which a process did not decide, as one that was not warmed up
MOST_TRIES = 2
# in which the least step must run, where running is what is looked for: near its edge a server ends
# in one process and not in the next
RUNS_OF_LEAST = 3


@dataclass(frozen=True)
class Tried:
    """What is known of a step: whether it has what is looked for (None: not decided, and why), how
    many runs have it, and to which side the middle of its interval leans."""

    holds: bool | None = None
    runs: int = 0
    why: str | None = None
    leans: bool | None = None

    @property
    def outcome(self) -> bool | None:
        """What the bisection goes on with: the middle, where several tries leave it undecided."""
        leaning = self.leans if self.runs >= MOST_TRIES else None
        return leaning if self.holds is None else self.holds


@dataclass(frozen=True)
class Cliff:
    """Of a subject: it lies above the step `low` and at most at `high`.

    Without `low` even the least step has what is looked for, without `high` not even the baseline.
    `next_step` is the one that would be measured next; None at the end. `undecided` says why it
    ended before two neighbours were left, `leaning` which of its two ends is decided by the middle
    of its interval alone.
    """

    subject: str
    low: str | None
    high: str | None
    next_step: str | None = None
    undecided: str | None = None
    leaning: str | None = None


def runs_of_least(question: Question) -> int:
    """In how many runs the step that is found must hold."""
    return 1 if question.locate else RUNS_OF_LEAST


def find_cliff(
    subject: str, steps: Sequence[str], tried: Mapping[str, Tried], runs_of_least: int = 1
) -> Cliff:
    """The cliff of a subject. `steps` are in order, the last one is the baseline; `runs_of_least`:
    in how many runs the step that is found must hold."""
    *ladder, baseline = steps
    known = tried.get(baseline, Tried())
    if known.holds is False or (known.holds is None and known.runs >= MOST_TRIES):
        return Cliff(subject, None, None, undecided=known.why or "the baseline was not measured")
    outcomes = [tried.get(step, Tried()).outcome for step in ladder]
    low = max((at for at, outcome in enumerate(outcomes) if outcome is False), default=-1)
    high = next((at for at, outcome in enumerate(outcomes) if outcome and at > low), len(ladder))
    ends = [at for at in (low, high) if 0 <= at < len(ladder)]
    leaning = [ladder[at] for at in ends if tried.get(ladder[at], Tried()).holds is None]
    found = Cliff(
        subject,
        ladder[low] if low >= 0 else None,
        steps[high],
        leaning=leaning[0] if leaning else None,
    )
    if high - low < 2:
        runs = tried[steps[high]].runs if steps[high] in tried else 0
        if runs >= runs_of_least:
            return found
        why = f"seen in {runs} of {runs_of_least} runs"
        return replace(found, next_step=steps[high], undecided=why)
    middle = ladder[(low + high) // 2]
    of_middle = tried.get(middle, Tried())
    if of_middle.runs >= MOST_TRIES:
        why = f"{middle} was not decided: {of_middle.why or 'no figure'}"
        return replace(found, undecided=why)
    return replace(found, next_step=middle)


def least_runs(steps: int, runs_of_least: int = 1) -> int:
    """How many runs a bisection of so many steps takes where each run decides one."""
    return math.ceil(math.log2(max(steps, 2))) + runs_of_least - 1
