"""What a process is asked with: tokens, numbers, and nothing of them in a message."""

from __future__ import annotations

import gzip
import json

import pytest

from springbench.errors import CaseError
from springbench.matrix.requests import Login, login_template
from springbench.matrix.templates import RequestTemplate, get, parse
from springbench.measure.services.http import Answer
from springbench.measure.session import (
    NUMBERS_OF_A_LOAD,
    Session,
    expected,
    mismatch,
    redact,
    shown_headers,
)

PASSWORD = 'pa"ss\\w\u00f6rd'  # noqa: S105
BODY = '{"password": "{env:ORDERS_PASSWORD}"}'


def session(token: str = "json:data.token") -> Session:  # noqa: S107 - where it is, and none
    login = Login.model_validate({"path": "/login", "body": BODY, "token": token})
    return Session(login, {"ORDERS_PASSWORD": PASSWORD})


def answer(
    status: int = 200, body: bytes = b"", headers: dict[str, str] | None = None, cookie: str = ""
) -> Answer:
    return Answer(status, body, headers or {}, cookies=[cookie])


@pytest.mark.parametrize(
    ("token", "server_answer"),
    [
        ("json:data.token", answer(body=b'{"data": {"token": "abc-123"}}')),
        ("json:tokens.0.value", answer(body=b'{"tokens": [{"value": "abc-123"}]}')),
        ("header:x-token", answer(headers={"X-Token": "abc-123"})),
        ("cookie:SESSION", answer(cookie="SESSION=abc-123; Path=/; HttpOnly")),
    ],
)
def test_a_token_fills_requests_and_no_message(token: str, server_answer: Answer) -> None:
    new_session, requests = session(token), []
    new_session.log_in(
        lambda template: requests.append(new_session.single(template)) or server_answer  # type: ignore[func-returns-value]
    )
    assert json.loads(requests[0].body or b"") == {"password": PASSWORD}
    [filled] = new_session.filled([RequestTemplate("a", parse("/a?t={token}"))])
    assert filled.path == ("/a?t=abc-123",)
    # it looks like a plain GET now, and must not stand on a command line
    assert not filled.is_plain
    assert redact(f"no abc-123, no {PASSWORD}, no {json.dumps(PASSWORD)[1:-1]}") == (
        "no ***, no ***, no ***"
    )
    shown = shown_headers(answer(headers={"Set-Cookie": "SESSION=abc-123"}))
    assert shown == {"Set-Cookie": "SESSION=***"}


@pytest.mark.parametrize(
    ("named", "status", "fine"),
    [
        (None, 200, True),
        # a session was made; a form sends its user on
        (None, 201, True),
        (None, 302, True),
        (None, 401, False),
        (201, 201, True),
        (201, 200, False),
    ],
)
def test_a_login_may_be_answered_by_any_success_unless_it_names_a_status(
    named: int | None, status: int, *, fine: bool
) -> None:
    row = {"path": "/login", "token": "cookie:SESSION"} | ({"status": named} if named else {})
    template = login_template(Login.model_validate(row))
    assert (mismatch(template, answer(status)) == "") is fine
    assert expected(template) == ("201" if named else "200 to 399")


@pytest.mark.parametrize(
    ("token", "server_answer", "message"),
    [
        ("json:data.token", answer(body=b"<html>"), "its body is no JSON"),
        ("json:data.token", answer(body=b'{"user": 1, "a": 2}'), "it has a, user"),
        ("json:data.token", answer(body=b'{"data": {"token": true}}'), "it has data"),
        ("header:X-T", answer(headers={"Date": "now"}), "it has Date"),
        ("cookie:SESSION", answer(cookie="OTHER=1"), "it has OTHER"),
    ],
)
def test_a_login_without_a_token_says_what_there_is(
    token: str, server_answer: Answer, message: str
) -> None:
    with pytest.raises(CaseError) as caught:
        session(token).log_in(lambda _: server_answer)
    assert f"login: POST /login was answered 200 without {token}; {message}" in str(caught.value)


def test_a_token_cannot_end_a_header() -> None:
    with pytest.raises(CaseError, match="has a line break"):
        session().log_in(lambda _: answer(body=b'{"data": {"token": "a\\r\\nX: 1"}}'))


def test_requests_have_numbers_of_their_own() -> None:
    new_session, template = Session(), RequestTemplate("a", parse("/{n}"))
    singles = [new_session.single(template).path for _ in range(3)]
    assert singles == ["/1", "/2", "/3"]
    assert [new_session.first_number() for _ in range(2)] == [
        NUMBERS_OF_A_LOAD,
        2 * NUMBERS_OF_A_LOAD,
    ]


def test_values_are_written_as_they_must_be_where_they_stand() -> None:
    rows = ({"q": 'a "b"&c/d'},)
    template = RequestTemplate(
        "a",
        parse("/x?q={row:q}"),
        "POST",
        (("X-Q", parse("{row:q}")),),
        parse('{"q": "{row:q}"}'),
        "json",
        rows,
    )
    sent = Session().single(template)
    assert sent.path == "/x?q=a%20%22b%22%26c%2Fd"
    assert sent.headers == {"X-Q": b'a "b"&c/d'}
    assert json.loads(sent.body or b"") == rows[0]


@pytest.mark.parametrize(
    ("checks", "server_answer", "wrong"),
    [
        ({}, answer(), ""),
        ({"status": 201}, answer(), "200"),
        ({}, answer(302, headers={"Location": "/login"}), "302 to /login"),
        ({"contains": "id"}, answer(body=b'{"id": 1}'), ""),
        ({"contains": "id"}, answer(body=b"{}"), "200 without 'id'"),
        ({"json_path": "a.0.id"}, answer(body=b'{"a": [{"id": 0}]}'), ""),
        ({"json_path": "a.1.id"}, answer(body=b'{"a": [{"id": 0}]}'), "200 without a.1.id in JSON"),
        (
            {"contains": "id"},
            Answer(200, gzip.compress(b"an id"), {"Content-Encoding": "gzip"}),
            "",
        ),
    ],
)
def test_an_answer_is_as_it_must_be_or_what_it_was(
    checks: dict[str, object], server_answer: Answer, wrong: str
) -> None:
    template = RequestTemplate("a", ("/",), **checks)  # type: ignore[arg-type]
    assert mismatch(template, server_answer) == wrong


def test_what_is_expected_is_said() -> None:
    template = RequestTemplate("a", ("/",), status=201, contains="x", json_path="a.b")
    assert expected(template) == "201 with 'x' with a.b in JSON"
    assert expected(get("/")) == "200"
