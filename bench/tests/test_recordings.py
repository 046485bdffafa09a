"""What follows from recorded measurements: tables, reports, comments, verdicts, on any host."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from springbench.compare.execute import LiveComparison, compare_live
from springbench.compare.sides import RequestedSide, resolve
from springbench.history.condense_comparison import Occasion, condense_comparison
from springbench.host.shell import RealShell
from springbench.matrix.load import load_matrix
from springbench.paths import MATRIX
from springbench.plan.plan import Filters, Plan, make_plan
from springbench.report.comment import Report
from springbench.report.comment import render as comment_of
from springbench.report.comparison import render
from springbench.results.comparison import Comparison, SideInfo, Verdict
from springbench.results.recording import Recording
from springbench.results.run import Run
from springbench.results.schema import schemas
from tests.conftest import Cli
from tests.processes import SERVICES
from tests.recorded import (
    RECORDINGS,
    failing,
    named,
    names_of,
    recorded_comparison,
    recorded_run,
    swapped,
    write_recording,
)
from tests.recordings.record import ORDERS

Golden = Callable[[str, str], None]
RUNS, COMPARISONS = names_of(Run), names_of(Comparison)
# with the full budget each of these came to a verdict about something
CHANGED = ("cpu", "cap", "bytes", "start", "orders-regression")
CASE = "boot4-tomcat-virtual-jvm/hello/64"
OPPOSITE: dict[Verdict, Verdict] = {"regression": "improvement", "improvement": "regression"}


def matrix_for(case: str, folder: Path) -> Path:
    """A copy of the matrix that has this case, in a folder that is no repository."""
    if case.startswith("app-orders"):
        file = folder / "springbench.toml"
        file.write_text(ORDERS, encoding="utf-8")
        return file
    source = SERVICES / "matrix.toml" if case.startswith("boot4-fake") else MATRIX
    return Path(shutil.copy(source, folder / "matrix.toml"))


def stable(text: str) -> str:
    """Without what differs from one replay to the next."""
    text = re.sub(r"\d{8}T\d{6}Z", "TIME", text)
    text = re.sub(r"\d{4}-\d\d-\d\d(T| )\d\d:\d\d(:\d\d)?(\+00:00| UTC)?", "TIME", text)
    # where a page was built one is written
    text = re.sub(r"(?m)^(no )?report page: .*\n", "", text)
    return re.sub(r"(measured in|after) \d+ s", r"\1 N s", text)


@pytest.mark.parametrize("file", sorted(RECORDINGS.glob("*.json.gz")), ids=lambda file: file.name)
def test_a_recording_has_the_schema_of_today(file: Path) -> None:
    recording = Recording.read(file)
    for name, parts in (
        ("run.schema.json", recording.runs),
        ("comparison.schema.json", recording.comparisons),
    ):
        for part in parts:
            document = json.loads(part.model_dump_json(by_alias=True))
            jsonschema.validate(document, json.loads(schemas()[name]))
    text = json.dumps([part.model_dump(mode="json") for part in recording.runs])
    assert str(RECORDINGS.parent.parent.parent) not in text


def test_recordings_have_every_kind_of_bottleneck_status_and_verdict() -> None:
    results = [result for name in RUNS for result in recorded_run(name).results]
    assert {result.status for result in results} == {"ok", "failed"}
    bottlenecks = {result.bottleneck.kind for result in results if result.bottleneck}
    assert {"thread-cap", "latency", "backlog", "errors"} <= bottlenecks
    warnings = {caution.code for result in results for caution in result.warnings}
    of_host = {caution.code for name in RUNS for caution in recorded_run(name).warnings}
    assert "errors" in warnings
    assert "disturbed" in of_host
    found = [recorded_comparison(name) for name in COMPARISONS]
    verdicts = {statement.verdict for comparison in found for statement in comparison.statements}
    assert {"regression", "unchanged", "undecided", "changed"} <= verdicts


# --- Runs ----------------------------------------------------------------------------------------


@pytest.mark.process
@pytest.mark.parametrize("name", RUNS)
def test_what_is_printed_and_reported_of_a_run(
    name: str, tmp_path: Path, cli: Cli, golden: Golden, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(tmp_path)
    run = recorded_run(name)
    only = [word for result in run.results for word in ("--only", result.case)]
    forks = max(len(result.forks) for result in run.results)
    code, out, err = cli(
        *("run", "--profile", run.run.profile, *only, "--forks", max(1, forks)),
        *("--recording", RECORDINGS / f"{name}.json.gz", "--results", tmp_path / "results"),
        *("--matrix", matrix_for(run.results[0].case, tmp_path), "--no-open"),
        *(connections_of(run)),
    )
    failed = any(result.status == "failed" for result in run.results)
    assert (code, err) == (4 if failed else 0, "")
    golden(f"recorded-{name}.txt", stable(out))
    again = Run.model_validate_json((tmp_path / "results/latest/run.json").read_bytes())
    assert {(result.case, result.status) for result in again.results} == {
        (result.case, result.status) for result in run.results
    }
    [report] = (tmp_path / "results").glob("*.md")
    golden(f"recorded-{name}.md", stable(report.read_text(encoding="utf-8")))


def connections_of(run: Run) -> list[str]:
    """Connections that a person had asked for."""
    connections = run.run.filters.connections
    return ["--connections", ",".join(map(str, connections))] if connections else []


@pytest.mark.process
def test_a_recorded_run_says_that_nothing_was_measured(tmp_path: Path, cli: Cli) -> None:
    code, out, _ = cli(
        *("run", "--profile", "smoke", "--recording", RECORDINGS / "smoke.json.gz"),
        *("--results", tmp_path, "--no-open"),
    )
    assert code == 0
    assert "nothing was measured: the measurements are those of smoke.json.gz" in out


@pytest.mark.process
def test_runs_that_begin_within_one_second_have_names_of_their_own(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("springbench.run.execute.new_run_id", lambda *_: "20261128T120000Z-smoke")
    recorded = ("run", "--profile", "smoke", "--recording", RECORDINGS / "smoke.json.gz")
    for _ in range(3):
        code, _, err = cli(*recorded, "--results", tmp_path, "--no-open")
        assert code == 0, err
    found = sorted(file.parent.name for file in tmp_path.glob("2*/run.json"))
    assert found == [f"20261128T120000Z-smoke{more}" for more in ("", "-2", "-3")]
    for name in found:
        assert json.loads((tmp_path / name / "run.json").read_text())["run"]["id"] == name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no such run; a recording is a run.json"),
        (b"{", "not valid JSON (EOF while parsing an object"),
        (b"[]", "is no recording"),
        (b'{"schema": 99, "run": {}}', "schema 99; this springbench reads runs of schema 1"),
        (b'{"schema": 1, "run": {}}', "run.id: Field required; a recording is"),
        (b"\x1f\x8b\x08nothing", "cannot be read"),
    ],
)
def test_what_is_no_recording_is_one_line(
    tmp_path: Path, cli: Cli, content: bytes | None, message: str
) -> None:
    file = tmp_path / ("a.json.gz" if content and content[:1] == b"\x1f" else "a.json")
    if content is not None:
        file.write_bytes(content)
    code, out, err = cli("run", "--recording", file, "--results", tmp_path / "results")
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "results").exists()


def test_a_case_that_was_not_recorded_is_named(tmp_path: Path, cli: Cli) -> None:
    code, _, err = cli(
        *("run", "--profile", "smoke", "--recording", RECORDINGS / "orders.json.gz"),
        *("--results", tmp_path),
    )
    assert code == 2
    assert "has no measurement of boot4-" in err
    assert "it has: app-orders-own-command/hello/64" in err


@pytest.mark.process
def test_a_case_that_failed_when_it_was_recorded_fails_again(tmp_path: Path, cli: Cli) -> None:
    case = "boot4-tomcat-virtual-jvm/pay/100"
    broken = failing(recorded_run("smoke"), [case], "the server exited with code 1")
    code, out, _ = cli(
        *("run", "--profile", "smoke", "--recording", write_recording(tmp_path / "r", broken)),
        *("--results", tmp_path / "results", "--no-open"),
    )
    assert code == 4
    assert "failed: the server exited with code 1" in out


# --- Comparisons ---------------------------------------------------------------------------------


def replayed(comparison: Comparison, folder: Path, budget_s: float | None = None) -> LiveComparison:
    """What `compare` makes of recorded pairs, of two commits or of what was compared."""
    folder.mkdir(exist_ok=True)
    sides, plan = _sides_and_plan(comparison, folder)
    recording = Recording.read(write_recording(folder / "recording", comparison))
    budget_s, shell = comparison.comparison.budget_s, RealShell()
    return compare_live(sides, plan, budget_s, folder, shell, recording=recording)


def _sides_and_plan(comparison: Comparison, folder: Path) -> tuple[list[RequestedSide], Plan]:
    case = next(iter(sorted(_cases(comparison))), CASE)
    matrix = load_matrix(matrix_for(case, folder))
    if comparison.base.kind == "variant":
        sides = [
            resolve(side.label, matrix, RealShell()) for side in (comparison.base, comparison.head)
        ]
        return sides, make_plan(matrix, "pr", Filters(("boot4-tomcat-*/pay/*",)))
    sides = [
        RequestedSide(
            SideInfo(
                kind="commit",
                label=f"{name} ({letter * 12})",
                sha=letter * 40,
                message=name,
                author="Someone",
                time=f"2026-11-2{number}T09:00:00+00:00",
            )
        )
        for number, (name, letter) in enumerate((("main", "a"), ("change", "b")))
    ]
    only = sorted(_cases(comparison)) or [CASE]
    return sides, make_plan(matrix, comparison.comparison.profile, Filters(tuple(only)))


def _cases(comparison: Comparison) -> set[str]:
    """Those whose loads were measured."""
    sides = [
        side
        for pairs in comparison.pairs.values()
        for pair in pairs
        for side in pair.sides.values()
    ]
    return {case for side in sides for case in (*side.bursts, *side.windows)}


def verdicts(comparison: Comparison) -> dict[tuple[str, str], Verdict]:
    return {
        (statement.case, statement.metric): statement.verdict for statement in comparison.statements
    }


@pytest.mark.process
@pytest.mark.parametrize("name", COMPARISONS)
def test_what_is_reported_and_commented_of_a_comparison(
    name: str, tmp_path: Path, golden: Golden
) -> None:
    comparison = replayed(recorded_comparison(name), tmp_path).comparison
    golden(f"recorded-{name}.md", stable(render(comparison)))
    report = Report([comparison], run_url="https://github.example/octo/app/actions/runs/1")
    golden(f"recorded-{name}-comment.md", stable(comment_of(report)))


@pytest.mark.process
@pytest.mark.parametrize("name", COMPARISONS)
def test_what_was_concluded_when_it_was_measured_is_concluded_again(
    name: str, tmp_path: Path
) -> None:
    then = recorded_comparison(name)
    assert verdicts(replayed(then, tmp_path).comparison) == verdicts(then)


@pytest.mark.process
@pytest.mark.parametrize("name", CHANGED)
def test_had_head_been_base_better_were_worse(name: str, tmp_path: Path) -> None:
    comparison = recorded_comparison(name)
    then = {(record.case, record.metric): record for record in comparison.findings}
    turned = replayed(swapped(comparison), tmp_path).comparison
    for finding in turned.findings:
        before = then[finding.case, finding.metric]
        assert finding.ratio == pytest.approx(1 / before.ratio, rel=1e-3)
        if before.verdict in OPPOSITE and finding.verdict in OPPOSITE:
            assert finding.verdict == OPPOSITE[before.verdict]
    worse = {record.verdict for record in comparison.findings}
    assert ("regression" in worse) <= (
        "improvement" in {record.verdict for record in turned.findings}
    )


@pytest.mark.process
def test_with_no_time_to_measure_again_a_change_is_only_suspected(tmp_path: Path) -> None:
    comparison = recorded_comparison("cpu")
    assert "regression" in verdicts(comparison).values()
    pairs = {variant: measured[:2] for variant, measured in comparison.pairs.items()}
    found = replayed(comparison.model_copy(update={"pairs": pairs}), tmp_path).comparison
    assert "regression" not in verdicts(found).values()
    assert "suspected" in verdicts(found).values()


@pytest.mark.process
def test_identical_builds_are_no_regression(tmp_path: Path) -> None:
    found = replayed(recorded_comparison("aa"), tmp_path).comparison
    assert not {"regression", "suspected", "improvement"} & set(verdicts(found).values())


@pytest.mark.process
def test_a_regression_has_its_explanation_and_an_improvement_none(tmp_path: Path) -> None:
    comparison = recorded_comparison("cpu")
    assert comparison.explanations
    found = replayed(comparison, tmp_path / "as_it_was").comparison
    assert found.explanations == comparison.explanations
    turned = replayed(swapped(comparison), tmp_path / "turned").comparison
    assert turned.explanations == []


@pytest.mark.process
@pytest.mark.parametrize("name", CHANGED)
def test_what_is_published_says_what_was_found(name: str, tmp_path: Path) -> None:
    comparison = replayed(recorded_comparison(name), tmp_path).comparison
    published = condense_comparison(comparison, Occasion("push")).comparison
    assert published.base.sha == "a" * 12
    assert published.head.sha == "b" * 12
    found = {(record.case, record.metric): record for record in published.findings}
    for finding in comparison.findings:
        assert found[finding.case, finding.metric].verdict == finding.verdict
        assert found[finding.case, finding.metric].ratio == pytest.approx(finding.ratio, rel=1e-4)


def test_the_comparison_of_a_pair_of_commits_is_found_by_their_messages(tmp_path: Path) -> None:
    same, slower = recorded_comparison("aa"), recorded_comparison("cpu")
    folder = write_recording(tmp_path, named(same, "one", "two"), named(slower, "two", "three"))
    recording = Recording.read(folder)
    side = SideInfo(kind="commit", label="x")
    two, three = (side.model_copy(update={"message": name}) for name in ("two", "three"))
    assert recording.comparison_of(two, three).pairs == slower.pairs
    with pytest.raises(Exception, match="has no comparison of 'three' with 'two'; it has: 'one'"):
        recording.comparison_of(three, two)
