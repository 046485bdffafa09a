"""Single requests."""

from __future__ import annotations

import http.client

import pytest

from springbench.measure.services.http import get_json, request
from tests.answers import answering


def test_an_answer_and_its_size_on_the_wire() -> None:
    with answering({"/hello": (200, b"hello"), "/broken": (500, b"boom")}) as port:
        answer = request(port, "/hello", timeout_s=5)
        assert (answer.status, answer.body) == (200, b"hello")
        assert 60 < answer.wire_bytes < 300
        assert request(port, "/broken", timeout_s=5).status == 500
        assert request(port, "/hello", timeout_s=5, method="POST").status == 200


def test_json_must_be_an_object() -> None:
    with answering({"/a": (200, b'{"served": 3}'), "/b": (200, b"[1]")}) as port:
        assert get_json(port, "/a") == {"served": 3}
        with pytest.raises(http.client.HTTPException, match="/b did not answer with an object"):
            get_json(port, "/b")
