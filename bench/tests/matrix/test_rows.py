"""What rows know by themselves."""

from __future__ import annotations

import pytest

from springbench.matrix.rows import Matrix
from springbench.matrix.workloads import Cap, PerCpu


def test_nothing_of_the_matrix_changes_after_it_was_read(matrix: Matrix) -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(matrix.boots[0], "id", "boot5")  # noqa: B010  # mypy would see it


def test_a_cap_that_grows_with_cpus(matrix: Matrix) -> None:
    cap = Cap(
        server="undertow",
        models=("platform",),
        at_once=PerCpu(per_cpu=8, min_cpus=2),
        property="p",
        reason="r",
    )
    assert [cap.requests_at_once(cpus) for cpus in (1, 2, 3)] == [16, 16, 24]
    assert cap.model_copy(update={"at_once": 200}).requests_at_once(64) == 200


def test_a_model_sets_properties_for_all_servers_and_for_one(matrix: Matrix) -> None:
    virtual = next(model for model in matrix.models if model.id == "virtual")
    own_model = virtual.model_copy(update={"server_properties": {"jetty": {"a": "b"}}})
    assert own_model.properties_for("tomcat", 64) == {"spring.threads.virtual.enabled": "true"}
    assert own_model.properties_for("jetty", 64) == {
        "spring.threads.virtual.enabled": "true",
        "a": "b",
    }


def test_a_list_of_words_stands_where_its_name_does(matrix: Matrix) -> None:
    runtime = matrix.runtimes[1].model_copy(
        update={"start": ("{java}", "{two}", "-jar"), "train": ("{two}",), "prepare": (("{two}",),)}
    )
    spelled_out = runtime.spelled_out({"two": ("-Da=1", "-Db={port}")})
    assert spelled_out.start == ("{java}", "-Da=1", "-Db={port}", "-jar")
    assert spelled_out.train == ("-Da=1", "-Db={port}")
    assert spelled_out.prepare == (("-Da=1", "-Db={port}"),)
    assert runtime.spelled_out({}) == runtime
