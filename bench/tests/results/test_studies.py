"""The published figures: as printed in the studies, in base units, and a mistake named by line."""

from __future__ import annotations

import pytest

from springbench.errors import ConfigurationError
from springbench.matrix.rows import Matrix
from springbench.paths import STUDIES
from springbench.results.studies import Figure, StudyFigures
from springbench.results.study_file import load_studies, parse_studies

TEXT = STUDIES.read_text(encoding="utf-8")


@pytest.fixture
def figures(matrix: Matrix) -> StudyFigures:
    return load_studies(STUDIES, matrix)


def figure(figures: StudyFigures, study: str, variant: str, metric: str, load: str = "") -> Figure:
    """The one figure of that place; `load` is `<workload>/<connections>`."""
    [found] = [
        row
        for candidate in figures.studies
        for row in candidate.figures
        if (candidate.id, row.variant, row.metric) == (study, variant, metric)
        and (f"{row.workload}/{row.connections}" if row.workload else "") == load
    ]
    return found


def test_every_study_has_its_figures(figures: StudyFigures) -> None:
    counts = {study.id: len(study.figures) for study in figures.studies}
    assert counts == {"000": 24, "001": 4, "003": 3, "004": 123}


@pytest.mark.parametrize(
    ("study", "variant", "metric", "load", "value"),
    [
        ("000", "boot4-tomcat-virtual-native", "throughput_rps", "pay/3000", 2699.67),
        ("000", "boot4-jetty-virtual-native", "throughput_rps", "pay/3000", 178.13),
        ("000", "boot4-jetty-platform-native", "throughput_rps", "pay/5000", 98.66),
        ("000", "boot4-jetty-platform-native", "started_in_s", "", 0.806),
        ("001", "boot3-netty-reactive-jvm", "throughput_rps", "task/500", 4659),
        ("003", "boot3-tomcat-platform-jvm", "throughput_rps", "upstream/500", 388),
        ("004", "boot3-tomcat-platform-jvm", "cold_latency_mean_s", "hello/1000", 0.007),
        ("004", "boot3-undertow-platform-jvm", "cold_latency_max_s", "json/1000", 0.983),
        ("004", "boot3-jetty-platform-jvm", "bytes_per_response", "json/1000", 2122),
        ("004", "boot3-jetty-platform-jvm", "heap_used_idle_bytes", "", 311476776),
    ],
)
def test_figures_stand_as_printed(
    figures: StudyFigures, study: str, variant: str, metric: str, load: str, value: float
) -> None:
    assert figure(figures, study, variant, metric, load).median == pytest.approx(value)


def test_rates_of_bytes_agree_with_throughput_times_size(figures: StudyFigures) -> None:
    """The study's kilobyte is 1,024 bytes: only so do its own columns agree."""
    key = ("004", "boot3-tomcat-platform-jvm")
    rates = figure(figures, *key, "throughput_rps", "hello/1000").values
    sizes = figure(figures, *key, "bytes_per_response", "hello/1000").values
    received = figure(figures, *key, "received_bytes_per_s", "hello/1000").values
    for rate, size, bytes_per_s in zip(rates, sizes, received, strict=True):
        assert bytes_per_s == pytest.approx(rate * size, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('workload = "pay"', 'workload = "play"', "'play' is not declared; allowed: hello, json"),
        ('metric = "throughput_rps"', 'metric = "speed"', "'speed' is not declared; allowed: "),
        ('unit = "rps"', 'unit = "s"', "throughput_rps is not measured in 's'; allowed: rps"),
        ('unit = "rps"', 'unit = "mph"', "allowed: 'rps', 's', 'ms'"),
        ("value = 95.96", 'value = "fast"', "allowed: a number, or a list of numbers"),
        ("boot4-tomcat-platform-native", "boot9-tomcat-platform-native", "boots: boot4, boot3"),
        ("connections = 100, ", "", "workload and connections stand together"),
        ("connections = 500", "connections = 100", "this figure stands twice"),
        ("{ variant", "{ colour = 1, variant", "unknown key; allowed here: variant, workload"),
    ],
)
def test_a_mistake_is_reported_with_its_line(
    matrix: Matrix, old: str, new: str, message: str
) -> None:
    begin = TEXT.index("figures = [")
    text = TEXT[:begin] + TEXT[begin:].replace(old, new, 1)
    lines = zip(TEXT.splitlines(), text.splitlines(), strict=True)
    number = next(at for at, (was, now) in enumerate(lines, 1) if was != now)
    with pytest.raises(ConfigurationError) as caught:
        parse_studies(text, matrix, "p.toml")
    assert str(caught.value).startswith(f"p.toml:{number}: studies[0].figures[")
    assert message in str(caught.value)


def test_what_is_no_toml_is_reported_with_its_line(matrix: Matrix) -> None:
    with pytest.raises(ConfigurationError, match=r"p\.toml:2: not valid TOML"):
        parse_studies("schema = 1\nstudies = [", matrix, "p.toml")
