"""`springbench claims`: claims are listed, measured, and evaluated by what was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from springbench.matrix.rows import Matrix
from springbench.paths import CLAIMS as FILE
from springbench.paths import STUDIES
from springbench.results.claim_file import load_claims
from springbench.results.store import load_run
from springbench.results.study_file import load_studies
from tests.claims import CLAIMS, rounds, run_of, the_claim
from tests.conftest import Cli
from tests.recorded import RECORDINGS, write_recording

QUICK = RECORDINGS / "quick.json.gz"


@pytest.fixture
def claimed(matrix: Matrix, tmp_path: Path) -> list[object]:
    """The options that evaluate a claim of a file of one's own by a run of it."""
    (tmp_path / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    claim = the_claim(matrix)
    run = run_of(matrix, claim, rounds(), rounds(1.25))
    run_file = write_recording(tmp_path / "run", run) / "0.json.gz"
    return ["--claims", tmp_path / "claims.toml", "--from", run_file]


def test_it_lists_each_claim_with_its_minutes(cli: Cli, matrix: Matrix) -> None:
    code, out, err = cli("claims")
    assert (code, err) == (0, "")
    studies = load_studies(STUDIES, matrix).studies
    for claim in load_claims(FILE, matrix, studies).claims:
        [line] = [line for line in out.splitlines() if line.split()[:1] == [claim.id]]
        _, minutes, verdict, *_ = line.split()
        assert 1 <= int(minutes) <= 30
        assert verdict == "–"


def test_the_list_has_the_verdicts_of_runs(cli: Cli, claimed: list[object]) -> None:
    code, out, err = cli("claims", *claimed)
    assert (code, err) == (0, "")
    assert "holds within 1 %" in out
    code, out, _ = cli("claims", "--from", QUICK)
    assert code == 0
    assert "cannot be decided here" in out


def test_programs_and_documents_get_the_list(cli: Cli, claimed: list[object]) -> None:
    code, out, _ = cli("claims", *claimed, "--json")
    [row] = json.loads(out)
    assert (code, row["id"], row["verdict"]) == (0, "jetty-faster", "holds")
    assert row["source"]["title"] == "Jetty is faster"
    code, out, _ = cli("claims", *claimed, "--format", "markdown")
    assert code == 0
    assert "| jetty-faster |" in out
    code, out, _ = cli("claims", "--json")
    assert "verdict" not in json.loads(out)[0]


def test_it_judges_a_claim_by_a_run(cli: Cli, claimed: list[object]) -> None:
    code, out, err = cli("claims", "jetty-faster", *claimed)
    assert (code, err) == (0, "")
    for text in (
        "Jetty is a quarter faster than Tomcat.",
        "source: Jetty is faster, 2026-03, https://example.org/jetty?is=faster",
        "compared: server tomcat → jetty",
        "verdict: holds within 1 %",
        "server CPU",
        "repeat: springbench claims jetty-faster",
    ):
        assert text in out
    code, out, _ = cli("claims", "jetty-faster", *claimed, "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "holds")
    code, out, _ = cli("claims", "jetty-faster", *claimed, "-f", "markdown")
    assert code == 0
    assert out.startswith("## Jetty is a quarter faster than Tomcat.")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "'nothing': no such claim; allowed: study000-tomcat-jetty, "),
        (["--forks", "2"], "which claim? `springbench claims` lists them"),
        (["g1-throughput", "--from", QUICK], "has none of the 2 cases that answer 'g1-throughput'"),
        (
            ["g1-throughput", "--from", QUICK, "--forks", "2"],
            "--from evaluates what was measured",
        ),
        (["--from", QUICK, "--from", QUICK], "the same run twice"),
        (["--claims", "nowhere.toml"], "nowhere.toml: cannot be read"),
        (["g1-throughput", "--resume", QUICK], "is a run of profile quick, and 'g1-throughput' is"),
        (["mvc-webflux-alike", "--resume", QUICK], "is a run of other cases than boot4-tomcat-"),
    ],
)
def test_a_mistake_is_a_line(cli: Cli, arguments: list[object], message: str) -> None:
    code, out, err = cli("claims", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err


@pytest.mark.process
def test_it_measures_two_cases_and_judges(cli: Cli, tmp_path: Path) -> None:
    arguments = ("--recording", QUICK, "--results", tmp_path, "--forks", "2")
    code, out, _ = cli("claims", "virtual-cpu-bound", *arguments, "--json")
    assert code == 0
    # progress stands elsewhere
    found = json.loads(out)
    assert found["runs"][0]["command"] == "springbench claims virtual-cpu-bound --forks 2"
    run = load_run(tmp_path / "latest")
    assert {result.case for result in run.results} == {
        "boot4-tomcat-platform-jvm/hello/64",
        "boot4-tomcat-virtual-jvm/hello/64",
    }
