"""Published figures beside measured ones."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from springbench.matrix.rows import Matrix
from springbench.paths import STUDIES
from springbench.report.console import print_studies
from springbench.report.studies import compare_with_studies, render
from springbench.results.run import Run
from springbench.results.store import RunFolder
from springbench.results.studies import Axes, StudyFigures, axes_of
from springbench.results.study_file import load_studies
from tests.conftest import Cli
from tests.samples import case, empty_run, fork, full_run, measured

RUNTIMES = ("jvm", "jvm-aot", "native")


@pytest.fixture
def figures(matrix: Matrix) -> StudyFigures:
    return load_studies(STUDIES, matrix)


@pytest.fixture
def run(matrix: Matrix) -> Run:
    """The study of virtual threads, with its order at 3,000 connections turned round."""
    study_run = empty_run()
    study_run.run.profile = "study-virtual-threads"
    study_run.tools.boots = {"boot4": "4.0.7"}
    rates = {
        "boot4-tomcat-platform-jvm/pay/100": 99.8,
        "boot4-tomcat-virtual-jvm/pay/3000": 2500.0,
        "boot4-jetty-virtual-jvm/pay/3000": 2900.0,
    }
    study_run.results = [
        measured(case(matrix, name), fork(0, rate)) for name, rate in rates.items()
    ]
    return study_run


def test_a_study_beside_a_run(
    run: Run, figures: StudyFigures, golden: Callable[[str, str], None]
) -> None:
    golden("beside.md", render(run, figures, RUNTIMES))


def test_on_a_terminal(run: Run, figures: StudyFigures) -> None:
    out = Console(file=io.StringIO(), width=160)
    print_studies(run, figures, RUNTIMES, out)
    text = out.file.getvalue()  # type: ignore[attr-defined]
    assert "study 000" in text
    assert "setting differs, Spring Boot: 4.0.1; here 4.0.7" in text
    assert "study 004" not in text


def test_where_the_setting_differs_and_where_it_does_not(run: Run, figures: StudyFigures) -> None:
    [study] = compare_with_studies(run, figures, RUNTIMES)
    text = "\n".join(study.differences)
    for words in ("machine: MacBook Pro M4", "runtime: native; here jvm", "duration: 30 s; here"):
        assert words in text
    for same in ("memory limit", "JDK", "load"):
        assert f"setting differs, {same}:" not in text


def test_the_other_order_is_reported_with_both_ratios(run: Run, figures: StudyFigures) -> None:
    [study] = compare_with_studies(run, figures, RUNTIMES)
    [line] = [note for note in study.notes if note.startswith("order differs")]
    assert "at pay/3000: the study has boot4-tomcat-virtual-native before boot4-jetty" in line
    assert "by 15.16, the run the other way round by 1.16" in line


def test_what_the_run_has_not_measured_stays_in_the_table(run: Run, figures: StudyFigures) -> None:
    [study] = compare_with_studies(run, figures, RUNTIMES)
    assert len(study.rows) == 24
    ratios = {row[0]: row[4] for row in study.rows if row[1] == "throughput_rps"}
    assert ratios["boot4-tomcat-platform-native/pay/100"] == "1.04"
    assert ratios["boot4-tomcat-platform-native/pay/500"] == "–"


def test_a_run_of_another_profile_gets_the_studies_that_it_has_a_case_of(
    matrix: Matrix, figures: StudyFigures
) -> None:
    titles = [study.title for study in compare_with_studies(full_run(matrix), figures, RUNTIMES)]
    assert "study 000" in titles
    assert "study 003" not in titles
    assert "No case of this run stands in a published study" in render(
        empty_run(), figures, RUNTIMES
    )


@pytest.mark.parametrize(
    ("variant", "axes"),
    [
        ("boot4-tomcat-virtual-jvm", Axes("boot4", "tomcat", "virtual", "jvm")),
        (
            "boot4-tomcat-platform-tuned-jvm-aot",
            Axes("boot4", "tomcat", "platform-tuned", "jvm-aot"),
        ),
    ],
)
def test_ids_with_dashes_are_taken_apart(variant: str, axes: Axes) -> None:
    assert axes_of(variant, RUNTIMES) == axes


def test_the_command(run: Run, cli: Cli, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "results", "one")
    folder.save(run)
    code, out, err = cli("report", folder.path, "--against", "published", "--format", "markdown")
    assert (code, err) == (0, "")
    assert out.startswith("# Published beside measured: ")
    assert cli("report", folder.path, "--against", "published")[0] == 0
    code, _, err = cli("report", folder.path, "--against", "published", "--format", "json")
    assert code == 2
    assert "--against has no --format json" in err
