"""Which files are read as whose, and what is said of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from springbench.commands.publish_from import Harness
from springbench.errors import ConfigurationError
from springbench.harnesses.readers import BY_HARNESS, READERS, read_results
from springbench.matrix.service_name import HARNESSES
from tests.harnesses import samples

DOCUMENTS = {
    "jmh": [samples.jmh()],
    "k6": samples.k6_export(),
    "gatling": samples.gatling_page("Home"),
    "hyperfine": {"results": [samples.hyperfine()]},
}


def test_each_harness_has_a_reader_and_a_name() -> None:
    assert (
        set(HARNESSES)
        == set(BY_HARNESS)
        == {harness.value for harness in Harness}
        == set(DOCUMENTS)
    )


@pytest.mark.parametrize("harness", DOCUMENTS)
def test_a_file_is_read_as_one_harness_has_it_and_as_no_other(harness: str, tmp_path: Path) -> None:
    file = samples.written(tmp_path, DOCUMENTS[harness])
    assert read_results(file, BY_HARNESS[harness]).found
    for other in READERS:
        if other.harness != harness:
            with pytest.raises(ConfigurationError) as error:
                read_results(file, other)
            assert str(error.value) == (
                f"{file}: is no result of {other.name}; it is of {HARNESSES[harness]}: "
                f"--from {harness}"
            )


@pytest.mark.parametrize(
    ("document", "harness", "words"),
    [
        ("", "jmh", "not valid JSON"),
        ('{"results": [', "hyperfine", "not valid JSON"),
        ("[NaN]", "jmh", "not valid JSON"),
        ([], "jmh", "holds no result of JMH: it is empty"),
        ({"results": []}, "hyperfine", "holds no result of hyperfine: it is empty"),
        ({"assertions": []}, "gatling", "is no result of Gatling; index.html of a report, or its"),
        ("<html>a page</html>", "gatling", "is no result of Gatling"),
        (12, "k6", "is no result of k6; what `k6 run --summary-export FILE` writes"),
        (
            [samples.jmh(metric={"score": "NaN"})],
            "jmh",
            "holds no result of JMH: org.example.ParseBench.parse is left out: score is NaN",
        ),
    ],
)
def test_a_file_without_a_result_is_refused_in_one_line(
    document: Any, harness: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError) as error:
        read_results(samples.written(tmp_path, document), BY_HARNESS[harness])
    assert words in str(error.value)
    assert str(error.value).isprintable()


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        read_results(tmp_path / "gone.json", BY_HARNESS["k6"])
