"""What a report shows, before it is drawn."""

from __future__ import annotations

import io
from itertools import product
from typing import Any

import pytest
from rich.console import Console

from springbench.analysis.conclude import conclude
from springbench.bench.records import new_result
from springbench.history.condense import condense
from springbench.matrix.rows import Matrix
from springbench.report.console import print_run
from springbench.report.markdown import render
from springbench.report.tables import COLUMNS, ONE_FORK_NOTE, footnotes, host_line, tables
from springbench.results.run import LoadHostInfo, Rank, Ranking, Run
from tests.samples import case, empty_run, failed_fork, fork, full_run, measured


@pytest.fixture
def run(matrix: Matrix) -> Run:
    return full_run(matrix)


def test_a_table_for_each_workload_with_a_row_for_each_case(run: Run) -> None:
    found = tables(run)
    assert [(table.workload, len(table.rows)) for table in found] == [("hello", 4), ("pay", 3)]
    assert {len(row) for table in found for row in table.rows} == {len(COLUMNS)}


def test_what_is_not_ranked_stands_below_what_is(run: Run) -> None:
    hello, pay = tables(run)
    # 99,000/s is more than 48,812/s, but the load generator was the limit
    assert [row[0] for row in hello.rows] == [
        "boot4-tomcat-platform-jvm",
        "boot4-tomcat-virtual-jvm",
        "boot4-jetty-platform-jvm",
        "boot4-netty-reactive-jvm",
    ]
    assert hello.rows[1][-1] == "load generator: not ranked"
    assert [row[2] for row in pay.rows] == ["998.6", "573.0", "198.7"]


def test_ranked_servers_have_rank_ranges_and_stand_in_their_order(matrix: Matrix) -> None:
    run = empty_run()
    names = ("tomcat-platform", "jetty-platform", "jetty-virtual", "netty-reactive")
    run.results = [
        measured(case(matrix, f"boot4-{name}-jvm/hello/64"), fork(0, rate), fork(1, rate))
        for name, rate in zip(names, (40_000.0, 39_000.0, 52_000.0, 41_000.0), strict=True)
    ]
    ids = [result.case for result in run.results]
    run.rankings = [
        Ranking(
            metric="throughput_rps",
            interleaved=True,
            workload="hello",
            connections=64,
            rounds=2,
            spread_ratio=0.018,
            ranks=[
                Rank(case=ids[2], first=1, last=1, ratio=1.0, low=1.0, high=1.0),
                Rank(case=ids[1], first=2, last=3, ratio=0.8, low=0.76, high=0.842),
                Rank(case=ids[0], first=2, last=3, ratio=0.77, low=0.73, high=0.81),
            ],
        )
    ]
    [table] = tables(run)
    assert table.columns[3] == "of best"
    assert [(row[0], row[3]) for row in table.rows] == [
        ("boot4-jetty-virtual-jvm", "best, rank 1"),
        ("boot4-jetty-platform-jvm", "80 % [76, 84], rank 2–3"),
        ("boot4-tomcat-platform-jvm", "77 % [73, 81], rank 2–3"),
        # not among them: as one that was still compiled
        ("boot4-netty-reactive-jvm", "–"),
    ]
    assert table.notes[0].startswith(
        "hello at 64 connections: boot4-jetty-virtual-jvm is the fastest. 3 servers, "
        "interleaved in 2 rounds of fresh processes; identical processes differ by 1.8 %."
    )


def test_loads_of_several_sizes_are_not_mixed(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [
        measured(case(matrix, f"boot4-tomcat-{model}-jvm/pay/{connections}"), fork(0, rate))
        for model, connections, rate in (
            ("virtual", 1000, 1000.0),
            ("platform", 100, 99.0),
            ("virtual", 100, 100.0),
            ("platform", 1000, 200.0),
        )
    ]
    [table] = tables(run)
    assert [row[1:3] for row in table.rows] == [
        ("100", "100.0"),
        ("100", "99.0"),
        ("1000", "1,000"),
        ("1000", "200.0"),
    ]


def test_a_reason_that_several_skipped_cases_share_stands_once_below(matrix: Matrix) -> None:
    run = empty_run()
    variants = ("boot4-tomcat-platform", "boot4-tomcat-virtual", "boot4-jetty-virtual")
    reasons = ("needs a tool", "needs a tool", "interrupted")
    run.results = [
        new_result(case(matrix, f"{variant}-jvm/pay/100"), status="skipped", reason=reason)
        for variant, reason in zip(variants, reasons, strict=True)
    ]
    [table] = tables(run)
    assert sorted(row[-1] for row in table.rows) == ["skipped", "skipped", "skipped: interrupted"]
    assert table.notes == ("skipped 2: needs a tool.",)


def test_a_variant_is_named_once_for_what_holds_at_several_loads(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [
        measured(case(matrix, f"boot4-tomcat-platform-jvm/pay/{connections}"), fork(0, 200.0))
        for connections in (500, 1000)
    ]
    [table] = tables(run)
    [note] = [note for note in table.notes if "threads.max" in note]
    assert note.startswith("boot4-tomcat-platform-jvm: 200 requests")


def test_several_forks_show_their_spread_and_one_fork_says_that_it_has_none(
    run: Run, matrix: Matrix
) -> None:
    [row] = [row for table in tables(run) for row in table.rows if "±" in row[2]]
    assert row[2] == "48,812 ± 8.0 %"
    assert ONE_FORK_NOTE in footnotes(run)
    run.results = [
        measured(case(matrix, "boot4-tomcat-virtual-jvm/pay/1000"), fork(0, 9.0), fork(1, 9.0))
    ]
    assert ONE_FORK_NOTE not in footnotes(run)


def test_a_figure_that_was_not_taken_is_a_dash(matrix: Matrix) -> None:
    run = empty_run()
    bare = fork(0, 500.0, cpu_per_request_s=None, latency_p99_s=None, memory_peak_bytes=None)
    run.results = [measured(case(matrix, "boot4-tomcat-virtual-jvm/hello/64"), bare)]
    [[_, _, rate, theoretical_max, p50, p99, cpu, memory, startup, _]] = tables(run)[0].rows
    assert (rate, theoretical_max, p99, cpu, memory) == ("500.0", "–", "–", "–", "–")
    assert (p50, startup) == ("1.32 ms", "2.31 s")


def test_jettys_reader_learns_why_from_the_table(run: Run) -> None:
    pay = tables(run)[1]
    [jetty] = [row for row in pay.rows if "jetty" in row[0]]
    assert jetty[3] == "19.9 %"
    assert jetty[-1] == "thread cap: 199 at once (server.jetty.threads.max)"
    assert any(
        note.startswith("boot4-jetty-virtual-jvm: 199 requests waited at once")
        and "To lift it, raise server.jetty.threads.max" in note
        for note in pay.notes
    )


def test_a_case_that_was_compiling_is_called_so_and_stands_last(matrix: Matrix) -> None:
    run = empty_run()
    rests = fork(0, 12_000.0, server_cpu_ratio=1.0)
    compiles = fork(
        0, 40_000.0, server_cpu_ratio=1.0, instability=["compiling"], compiler_cpu_ratio=0.14
    )
    run.results = [
        measured(case(matrix, "boot4-tomcat-virtual-jvm/hello/64"), compiles),
        measured(case(matrix, "boot4-jetty-virtual-jvm/hello/64"), rests),
    ]
    [table] = tables(run)
    assert [row[-1] for row in table.rows] == ["server CPU", "not warmed up"]
    [note] = table.notes
    assert note.startswith("boot4-tomcat-virtual-jvm: Just-in-time compilers had up to 14.0 % of")


def test_an_explanation_stands_once_with_everyone_it_holds_for(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [
        measured(case(matrix, f"{variant}/pay/1000"), fork(0, 700.0, steady=False))
        for variant in ("boot4-tomcat-virtual-jvm", "boot4-netty-reactive-jvm")
    ]
    [note] = tables(run)[0].notes
    assert note.startswith("2 of 2 rows: warning: ")
    run.results.append(measured(case(matrix, "boot4-jetty-virtual-jvm/pay/1000"), fork(0, 700.0)))
    [note] = tables(run)[0].notes
    assert note.startswith("boot4-tomcat-virtual-jvm, boot4-netty-reactive-jvm: warning: ")


def disturbed_run(matrix: Matrix, rows: int, **fields: Any) -> Run:
    """The first rows of four, of two workloads, have these fields in their window."""
    run = empty_run()
    run.results = [
        measured(
            case(matrix, f"boot4-{variant}-jvm/{load}"),
            fork(0, 700.0, **(fields if number < rows else {})),
        )
        for number, (variant, load) in enumerate(
            product(("tomcat-virtual", "netty-reactive"), ("hello/64", "pay/1000"))
        )
    ]
    conclude(run)
    return run


@pytest.mark.parametrize(("rows", "expected"), [(4, "(4 of 4 rows)"), (3, "(3 of 4 rows: boot4-")])
@pytest.mark.parametrize(
    ("code", "words"),
    [("stolen", "went to its neighbours"), ("disturbed", "background load took up to")],
)
def test_what_the_host_did_is_said_once_on_every_surface(
    matrix: Matrix, rows: int, expected: str, code: str, words: str
) -> None:
    ratios = {"steal_ratio": 0.3, "background_cpu_ratio": 0.9}
    run = disturbed_run(matrix, rows, instability=[code], **ratios)
    out = io.StringIO()
    print_run(run, Console(file=out, width=400))
    [published] = [condense([run])]
    of_cases = [note for published_case in published.cases for note in published_case.notes]
    [of_host] = [text for text in published.shards[0].warnings if words in text]
    for surface in (out.getvalue(), render(run).replace("\\", "")):
        assert surface.count(words) == 1
        assert expected in surface
    assert expected in of_host
    assert not any(words in note for note in of_cases)
    assert not any(code in published_case.warnings for published_case in published.cases)


def test_a_warning_in_the_same_words_under_several_tables_is_said_once(matrix: Matrix) -> None:
    run = disturbed_run(matrix, 4, steady=False)
    assert not any("still changed" in note for table in tables(run) for note in table.notes)
    [note] = [note for note in footnotes(run) if "still changed" in note]
    assert note.startswith("4 of 4 rows: warning: throughput still changed")


def test_a_case_in_which_some_forks_failed_shows_both(matrix: Matrix) -> None:
    run = empty_run()
    run.results = [
        measured(
            case(matrix, "boot4-tomcat-virtual-jvm/pay/1000"),
            fork(0, 998.0),
            failed_fork(1, "boom"),
        )
    ]
    [row] = tables(run)[0].rows
    assert row[2] == "998.0"
    assert row[-1] == "latency (the theoretical maximum); failed: boom"


def test_the_host_and_what_kept_the_roles_apart() -> None:
    run = empty_run()
    assert host_line(run) == (
        "Some CPU 7B13, 2 CPUs, 8,192 MiB, 6.8.0; JDK 25.0.3, wrk 4.1.0; "
        "server on CPU 1, wrk on 0, upstream on 0"
    )
    run.host.limits.server_cpus = []
    assert host_line(run).endswith("; nothing pinned")


def test_kinds_of_cores_are_reported() -> None:
    run = empty_run()
    run.host.core_kinds = [[0, 1], [2, 3, 4]]
    kinds = "2 CPUs of 2 kinds (fastest first: CPU 0,1; CPU 2,3,4), 8,192 MiB"
    assert kinds in host_line(run)
    run.host.core_kinds = [[], [2, 3, 4]]
    assert "of 2 kinds (fastest first: none usable; CPU 2,3,4)" in host_line(run)


def test_the_other_host_of_a_load_is_reported_with_the_link_to_it() -> None:
    run = empty_run()
    run.host.load_host = LoadHostInfo(
        cpu_model="Other <b>CPU</b>\n",
        cores=8,
        memory_bytes=1 << 34,
        kernel="6.1",
        load_cpus=[1, 2, 3],
        upstream_cpus=[0],
        wrk="4.2.0",
        round_trip_s=0.00021,
        link_bytes_per_s=117 << 20,
    )
    assert host_line(run).endswith(
        "wrk 4.2.0; server on CPU 1; wrk on 1,2,3, upstream on 0 of another host: "
        "Other <b>CPU</b> , 8 CPUs, 6.1, 0.21 ms there and back, 117 MiB a second"
    )
    run.host.limits.server_cpus = []
    assert "; nothing pinned; wrk on 1,2,3" in host_line(run)
