"""What oha is asked for, and how its list of answers is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from springbench.errors import CaseError
from springbench.host.shell import RealShell
from springbench.matrix.templates import RequestTemplate, get, parse
from springbench.measure.load.drawn_requests import private_files
from springbench.measure.load.generator import Place, Requests
from springbench.measure.load.load_host import SameHost
from springbench.measure.load.oha import FILES, Oha, refusal
from springbench.measure.load.oha import parse as parse_list

# as oha 1.16.0 writes it
LIST = """request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status
0.0042,0.000001,0.0002,0.1010,0.1012,5,200
0.0021,0.000001,0.0003,0.1004,0.1005,5,503
0.0061,0,0,0.1001,0.1002,5,200
"""


def command(requests: Requests, folder: Path) -> list[str]:
    host = SameHost(RealShell(), "wrk", frozenset())
    place = Place(host, "http://127.0.0.1:1", 1, folder, "rate")
    private = private_files(requests.templates, place.base_url, FILES)
    return Oha(Path("/bin/oha")).command(requests, place, private)


def test_answers_are_in_the_order_in_which_they_were_asked_for() -> None:
    found = parse_list(LIST)
    assert found.sent_s.tolist() == [0.0021, 0.0042, 0.0061]
    assert found.ended_s.tolist() == pytest.approx([0.1026, 0.1054, 0.1063])
    assert found.status.tolist() == [503, 200, 200]


def test_a_list_with_further_columns_is_read_by_their_names() -> None:
    lines = [f"{number},{line}" for number, line in enumerate(LIST.splitlines()[1:])]
    found = parse_list("\n".join(["number," + LIST.splitlines()[0], *lines]))
    assert found.status.tolist() == [503, 200, 200]


def test_one_answer_and_none_are_lists_too() -> None:
    head, first, *_ = LIST.splitlines()
    assert len(parse_list(f"{head}\n{first}\n").sent_s) == 1
    assert len(parse_list(f"{head}\n").sent_s) == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "oha's list begins with ''"),
        ("error: no such option\n", "needs request-start, request-duration, status"),
        (LIST + "0.1,0,0\n", "cannot be read"),
        (LIST + "0.1,0,0,x,y,5,200\n", "cannot be read"),
    ],
)
def test_what_is_no_list_is_said(text: str, why: str) -> None:
    with pytest.raises(CaseError, match=why):
        parse_list(text)


def test_all_that_are_due_are_asked_for_at_the_rate() -> None:
    requests = Requests((get("/pay"),), 1000, 10.0, rate_rps=475.0, count=4750)
    line = command(requests, Path("/raw"))
    assert line[0] == "/bin/oha"
    assert {"-n=4750", "-q=475", "-c=1000", "--output=/raw/rate.csv"} <= set(line)
    assert line[-1] == "http://127.0.0.1:1/pay"


def test_a_load_over_rows_draws_from_the_same_addresses_each_time(tmp_path: Path) -> None:
    rows = RequestTemplate("rows", parse("/rows/{random:1:6000000}"))
    one, other = (
        private_files((rows,), "http://127.0.0.1:1", FILES)["--urls-from-file"] for _ in range(2)
    )
    lines = one.read_text(encoding="ascii").splitlines()
    assert lines == other.read_text(encoding="ascii").splitlines()
    numbers = [int(line.rpartition("/")[2]) for line in lines]
    assert 1 <= min(numbers) < 10_000
    assert 5_990_000 < max(numbers) <= 6_000_000
    line = command(Requests((rows,), 10, 10.0, rate_rps=5.0, count=50), tmp_path)
    assert line[-2] == "--urls-from-file"
    assert Path(line[-1]).read_text(encoding="ascii").splitlines() == lines


def test_a_mix_of_paths_is_drawn_by_its_weights() -> None:
    mix = tuple(
        replace(RequestTemplate(name, parse(path)), weight=weight)
        for name, path, weight in (("read", "/orders/{random:1:9}", 70), ("list", "/orders", 30))
    )
    assert not refusal(mix)
    files = private_files(mix, "http://127.0.0.1:1", FILES)
    lines = files["--urls-from-file"].read_text(encoding="ascii").splitlines()
    assert lines.count("http://127.0.0.1:1/orders") == 0.3 * len(lines)
    assert {line for line in lines if line[-1].isdigit()} == {
        f"http://127.0.0.1:1/orders/{number}" for number in range(1, 10)
    }
    other = replace(mix[1], method="DELETE")
    assert "differ in nothing but their paths" in refusal((mix[0], other))
