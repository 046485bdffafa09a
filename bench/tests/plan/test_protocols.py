"""Protocols as an axis of a load."""

from __future__ import annotations

import re

import pytest

from springbench.errors import ConfigurationError
from springbench.matrix.load import load_matrix, parse_matrix
from springbench.matrix.servers import HTTP1
from springbench.paths import MATRIX
from springbench.plan.cases import Case
from springbench.plan.plan import make_plan

TEXT = MATRIX.read_text(encoding="utf-8")
REAL = load_matrix(MATRIX)
ALL = ("http1", *(row.id for row in REAL.protocols))


def cases(workload: str = "hello", protocols: tuple[str, ...] = ALL) -> list[Case]:
    """The cases of a profile with one load."""
    row = (
        REAL.profiles[0]
        .loads[0]
        .model_copy(
            update={
                "workload": workload,
                "protocols": protocols,
                "connections": (500,),
                "servers": (),
                "models": (),
                "runtimes": (),
            }
        )
    )
    profile = REAL.profiles[0].model_copy(update={"loads": (row,)})
    matrix = REAL.model_copy(update={"profiles": (profile,)})
    return list(make_plan(matrix, profile.id).cases)


def test_each_protocol_is_a_workload_of_its_own() -> None:
    found = {case.workload.id: case.protocol.id for case in cases()}
    assert found == {
        "hello": "http1",
        "hello-https1": "https1",
        "hello-h2c": "h2c",
        "hello-h2": "h2",
    }


def test_every_server_has_every_protocol_on_a_jvm() -> None:
    found = {(c.variant.server.id, c.protocol.id) for c in cases()}
    assert found == {(s.id, p) for s in REAL.servers for p in ALL}
    native = {c.protocol.id for c in cases() if c.variant.runtime.is_native}
    assert native == {"http1"}


def test_who_names_no_protocol_asks_as_before() -> None:
    assert {case.id for case in cases(protocols=("http1",))} == {
        case.id for case in cases() if case.protocol.id == HTTP1.id
    }
    assert REAL.profiles[0].loads[0].protocols == ("http1",)


def test_a_protocol_has_a_process_of_its_own_and_its_properties() -> None:
    by_id = {
        case.id.partition("/")[2]: case for case in cases() if "tomcat-virtual-jvm/" in case.id
    }
    plain, h2 = by_id["hello/500"], by_id["hello-h2/500"]
    assert plain.process != h2.process
    assert h2.workload.properties["server.http2.enabled"] == "true"
    assert "server.ssl.key-store" in h2.workload.properties
    assert plain.workload.properties == {}
    # 500 requests at once, exactly
    assert (plain.streams, h2.streams) == (1, 5)


def test_a_workload_keeps_its_own_properties_over_a_protocol() -> None:
    found = next(case for case in cases("compressed") if case.protocol.id == "h2c")
    assert found.workload.properties == {
        "server.compression.enabled": "true",
        "server.http2.enabled": "true",
    }


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'id = "h2c"\n',
            'id = "h2c"\nservers = ["tomkat"]\n',
            "protocols[1].servers: 'tomkat' is not declared; allowed: tomcat, jetty",
        ),
        (
            '"{key_store}"',
            '"{keystore}"',
            "{keystore} is no place to fill in; allowed: {key_store}, {key_store_password}",
        ),
        ('id = "h2c"\n', 'id = "h2"\n', "duplicate id 'h2'; each id stands once"),
        (
            'workload = "hello"\n',
            'workload = "hello"\nprotocols = ["http3"]\n',
            "profiles[0].loads[0].protocols: 'http3' is not declared; allowed: http1, https1, h2c",
        ),
        (
            'workload = "hello"\n',
            'workload = "hello"\nprotocols = []\n',
            "profiles[0].loads[0].protocols:",
        ),
        ("streams = 8", "streams = 0", "protocols[1].streams: "),
        (
            'id = "json"\n',
            'id = "hello-h2"\n',
            "hello over h2 would be called hello-h2, as a workload or mix is; give one of them",
        ),
    ],
)
def test_mistakes_are_said_with_their_place(old: str, new: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=re.escape(message)):
        parse_matrix(TEXT.replace(old, new, 1))
