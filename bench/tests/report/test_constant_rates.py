"""The table of constant rates: what counts, what does not and why, and what is not there."""

from __future__ import annotations

import pytest

from springbench.analysis.assess import assess
from springbench.bench.records import new_result
from springbench.matrix.rows import Matrix
from springbench.report import markdown
from springbench.report.constant_rates import COLUMNS, rows
from springbench.report.tables import footnotes
from springbench.results.records import ConstantRateRecord, ForkRecord
from springbench.results.run import Run
from tests.samples import at_rate as at
from tests.samples import case, empty_run
from tests.samples import fork as plain_fork

PAY = "boot4-tomcat-virtual-jvm/pay/1000"


def fork(number: int, *passes: ConstantRateRecord) -> ForkRecord:
    return plain_fork(number, 995.0).model_copy(update={"constant_rates": list(passes)})


def run_of(matrix: Matrix, *forks: ForkRecord) -> Run:
    found, run = case(matrix, PAY, forks=len(forks)), empty_run()
    result = new_result(found, status="ok")
    result.forks = list(forks)
    run.results.append(assess(result, found, 1))
    return run


def test_a_row_is_the_median_over_the_forks_that_count(matrix: Matrix) -> None:
    run = run_of(
        matrix,
        *(fork(number, at(50, p99_s)) for number, p99_s in enumerate((1.02, 1.04, 1.06))),
        fork(3, at(50, 9.0, flaws=["stolen"])),
    )
    [row] = rows(run)
    assert dict(zip(COLUMNS, row, strict=True)) == {
        "case": PAY,
        "of capacity": "50 %",
        "req/s": "500.0",
        "p50": "1,000 ms",
        "p90": "1,002 ms",
        "p99": "1,040 ms",
        "p99.9": "1,200 ms",
        "max": "1,300 ms",
        "CPU/req": "50 µs",
        "": "stolen in 1 of 4",
    }


def test_figures_that_do_not_count_stand_in_brackets_with_the_reason(matrix: Matrix) -> None:
    flawed = at(80, 4.0, flaws=["behind", "load-generator"])
    run = run_of(matrix, fork(0, at(50, 1.02), flawed))
    good, bad = rows(run)
    assert good[5] == "1,020 ms"
    assert bad[5] == "(4,000 ms)"
    assert bad[-1] == "the server fell behind; oha was the limit"
    # and nothing that is evaluated or published has them
    assert "open_loop_50_latency_p99_s" in run.results[0].summary
    assert "open_loop_80_latency_p99_s" not in run.results[0].summary


def test_a_load_that_failed_says_why_and_costs_no_other(matrix: Matrix) -> None:
    failed = fork(0, at(50, 1.02))
    failed.missing["constant_rates.80"] = "oha ended with code 1"
    good, bad = rows(run_of(matrix, failed))
    assert good[-1] == ""
    assert bad[2:9] == ("–",) * 7
    assert bad[-1] == "oha ended with code 1"


@pytest.mark.parametrize("with_rates", [True, False])
def test_reports_have_the_table_and_its_note_only_where_it_was_asked_for(
    matrix: Matrix, with_rates: bool
) -> None:
    records = [at(50, 1.02)] if with_rates else []
    run = run_of(matrix, fork(0, *records))
    assert ("## at a constant rate" in markdown.render(run)) is with_rates
    assert any("from when its request was due" in note for note in footnotes(run)) is with_rates
