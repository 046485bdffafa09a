"""`claims.toml`: a row is a claim, and a wrong row is a line."""

from __future__ import annotations

from collections import Counter

import pytest

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix
from springbench.matrix.rows import Matrix
from springbench.paths import CLAIMS as FILE
from springbench.paths import MATRIX, STUDIES
from springbench.results.claim_file import load_claims, parse_claims
from springbench.results.metrics import BY_NAME
from springbench.results.study_file import load_studies
from tests.claims import CLAIMS, JETTY, TOMCAT, cases_of, evaluation_of


def test_a_row_is_a_claim(matrix: Matrix) -> None:
    found = parse_claims(CLAIMS, matrix)
    claim = found.find("jetty-faster")
    assert claim.only == (TOMCAT, JETTY)
    assert found.source(claim).address == "https://example.org/jetty?is=faster"
    with pytest.raises(ConfigurationError, match="'tomcat': no such claim; allowed: jetty-faster"):
        found.find("tomcat")


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("https://", "ftp://", "6: sources[0].address: allowed: an address that begins with"),
        ('"2026-03"', '"March"', "7: sources[0].date: allowed: a date as 2026-11-28, 2026-11 or"),
        (
            'conditions = "eight',
            'study = "000"\nconditions = "eight',
            "8: sources[0].study: '000' is not declared; allowed: ",
        ),
        ('source = "post"', 'source = "book"', "12: claims[0].source: 'book' is not declared"),
        ('"threads"', '"thread"', "14: claims[0].profile: 'thread' is not declared; allowed: "),
        ('tomcat-virtual-jvm/hello/64"', 'tomcat-virtual-jvm/hello/65"', "15: claims[0].base: "),
        (f'head = "{JETTY}"', 'head = "x"', "16: claims[0].head: 'x' is not declared; allowed: "),
        (f'head = "{JETTY}"', f'head = "{TOMCAT}"', "a case is not compared with itself"),
        ('"throughput_rps"', '"speed"', "17: claims[0].metric: 'speed' is not declared"),
        # it is shown and never compared
        ('"throughput_rps"', '"error_ratio"', "17: claims[0].metric: 'error_ratio' is not"),
        ("ratio = 1.25", "ratio = 0", "18: claims[0].ratio: allowed: more than 0; found 0"),
        ("ratio = 1.25", 'direction = "up"', "18: claims[0].direction: allowed: 'higher' or"),
        ("ratio = 1.25", "", "jetty-faster claims nothing: give its ratio or its direction"),
        ("ratio = 1.25", "ratio = 1.25\nwithin = 2", "19: claims[0].within: allowed: 1 or less"),
        ('claim = "Jetty', 'text = "Jetty', "claims[0].text: unknown key; allowed here: id"),
    ],
)
def test_a_wrong_row_is_a_line(matrix: Matrix, right: str, wrong: str, message: str) -> None:
    assert CLAIMS.count(right) == 1
    with pytest.raises(ConfigurationError) as caught:
        parse_claims(CLAIMS.replace(right, wrong), matrix)
    assert message in str(caught.value)


def test_an_id_stands_once(matrix: Matrix) -> None:
    row = CLAIMS.removeprefix("schema = 1\n")
    with pytest.raises(ConfigurationError) as caught:
        parse_claims(CLAIMS + row, matrix)
    assert "duplicate id 'post'" in str(caught.value)
    assert "duplicate id 'jetty-faster'" in str(caught.value)


def test_a_claim_of_a_study_has_the_ratio_of_its_figures(matrix: Matrix) -> None:
    studies = load_studies(STUDIES, matrix).studies
    text = (
        CLAIMS.replace("ratio = 1.25\n", "")
        .replace('conditions = "eight', 'study = "000"\nconditions = "eight')
        .replace("hello/64", "pay/1000")
        .replace('"threads"', '"study-virtual-threads"')
    )
    # of native images, which are of the same servers and models
    claim = parse_claims(text, matrix, studies).find("jetty-faster")
    assert claim.ratio == pytest.approx(191.96 / 947.68)
    other = text.replace("throughput_rps", "latency_p99_s")
    with pytest.raises(ConfigurationError, match="claims nothing"):
        parse_claims(other, matrix, studies)


def test_every_claim_of_this_clone_can_be_measured() -> None:
    matrix = load_matrix(MATRIX)
    claim_file = load_claims(FILE, matrix, load_studies(STUDIES, matrix).studies)
    for claim in claim_file.claims:
        assert {*cases_of(matrix, claim)} == {*claim.only}
        assert BY_NAME[claim.metric].noise is not None
        assert evaluation_of(matrix, claim).verdict == "undecided"
    of_studies = Counter(claim_file.source(claim).study for claim in claim_file.claims)
    assert {*of_studies} == {None, *(s.id for s in load_studies(STUDIES, matrix).studies)}
    assert of_studies[None] >= 30
    assert {source.id for source in claim_file.sources} == {
        claim.source for claim in claim_file.claims
    }
