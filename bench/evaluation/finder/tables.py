"""Scores as tables."""

from __future__ import annotations

from evaluation.finder.host_noise import CHANGES
from evaluation.finder.score import Score

Scores = dict[str, Score]


def rule_table(scores: Scores) -> list[str]:
    """A row for each rule."""
    rows = [
        "| rule | precision | recall | in 5 commits | median delay | alarms per 1,000 quiet "
        "commits | comparisons per 1,000 commits |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, s in scores.items():
        rows.append(
            f"| {name} | {_share(s.right, s.alarms)} | {_share(s.found, s.true)} | "
            f"{_share(s.in_time, s.true)} | {_delay(s)} | "
            f"{1000 * s.quiet_alarms / s.quiet_commits:.2f} | "
            f"{1000 * s.comparisons / s.commits:.1f} |"
        )
    return rows


def kind_table(runs: Scores, pushes: Scores) -> list[str]:
    """A row for each kind of history, for this project alone."""
    rows = [
        "| history | with runs alone: found | in 5 commits | false alarms | with pushes compared: "
        "found | in 5 commits | false alarms |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for kind in runs:
        cells = [
            cell
            for s in (runs[kind], pushes[kind])
            for cell in (
                _share(s.found, s.true),
                _share(s.in_time, s.true),
                f"{s.alarms - s.right} in {s.commits:,}",
            )
        ]
        rows.append(f"| {kind} | {' | '.join(cells)} |")
    return rows


def host_table(runs: Scores, pushes: Scores) -> list[str]:
    """A row for each kind of noise, with runs alone and with pushes compared as well."""
    rows = [
        "| noise | steps in the whole series | suspected meanwhile | confirmed | comparisons per "
        "1,000 commits | 5 %: suspected in 5 commits | reported | reported at all | "
        "10 %: suspected in 5 commits | reported | reported at all |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name, scores in (("", runs), (", pushes compared", pushes)):
        kinds = dict.fromkeys(kind.rpartition(", ")[0] for kind in scores)
        for kind in kinds:
            quiet, *steps = (scores[f"{kind}, {change:.0%}"] for change in CHANGES)
            commits = quiet.quiet_commits
            cells = [
                f"{1000 * quiet.quiet_steps / quiet.quiet_points:.2f}",
                f"{1000 * quiet.quiet_suspected / commits:.2f}",
                f"{1000 * quiet.quiet_alarms / commits:.2f}",
                f"{1000 * quiet.comparisons / commits:.1f}",
                *(
                    f"{100 * count / step.true:.0f}"
                    for step in steps
                    for count in (step.suspected_in_time, step.in_time, step.found)
                ),
            ]
            rows.append(f"| {kind}{name} | {' | '.join(cells)} |")
    return rows


def _share(part: int, total: int) -> str:
    return f"{part / total:.1%} ({part}/{total})" if total else "–"


def _delay(score: Score) -> str:
    return "–" if score.median_delay is None else f"{score.median_delay:g}"
