"""Two stored runs, compared after the fact."""

from __future__ import annotations

from pathlib import Path

from springbench.analysis.comparison.stored import compare_runs
from springbench.errors import ConfigurationError
from springbench.results.comparison import Comparison, ComparisonInfo, SideInfo
from springbench.results.run import Caution
from springbench.results.store import load_run

STORED_RUNS = Caution(
    code="stored-runs",
    message="the runs were measured at different times: what drifted between counts as a change",
    remedy="compare the commits side by side",
)


def compare_stored(base: Path, head: Path, *, force: bool) -> Comparison:
    """Two stored runs compared.

    Raises `ConfigurationError` when their hosts are of different classes and `force` is not set.
    """
    runs = load_run(base), load_run(head)
    classes = [run.host.host_class for run in runs]
    warnings = [STORED_RUNS]
    if classes[0] != classes[1]:
        if not force:
            raise ConfigurationError(
                f"the runs come from different host classes ({classes[0]} and {classes[1]}): "
                "their difference is that of the hosts. --force compares them all the same"
            )
        warnings.append(
            Caution(
                code="host-classes",
                message=f"different host classes, {classes[0]} and {classes[1]}: "
                "the hosts differ, whatever the servers do",
                remedy="measure both on one host",
            )
        )
    return Comparison(
        comparison=ComparisonInfo(
            id=f"{runs[0].run.id}-{runs[1].run.id}",
            started_at=runs[1].run.started_at,
            finished_at=runs[1].run.finished_at,
            profile=runs[1].run.profile,
            budget_s=runs[0].run.estimate_s + runs[1].run.estimate_s,
            measured_s=runs[0].run.measured_s + runs[1].run.measured_s,
            interleaved=False,
        ),
        base=SideInfo(kind="run", label=runs[0].run.id),
        head=SideInfo(kind="run", label=runs[1].run.id),
        host=runs[1].host,
        tools=runs[1].tools,
        warnings=warnings,
        findings=compare_runs(*runs),
    )
