"""What a file says of requests: templates, and each mistake as one line before anything starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.bench.environment import check_requests, request_info
from springbench.errors import ConfigurationError
from springbench.history.condense import configuration
from springbench.matrix.load import parse_matrix
from springbench.matrix.templates import (
    Column,
    Number,
    Random,
    Secret,
    TemplateError,
    get,
    parse,
    written,
)
from springbench.plan.cases import Case
from springbench.plan.plan import Filters, make_plan
from springbench.results.history_names import profile_of
from springbench.results.run import PlannedInfo

HEAD = 'name = "orders"\njar = "a.jar"\nhealth = "/health"\n'
LOGIN = """
[login]
path = "/login"
body = '{"user": "bench", "password": "{env:ORDERS_PASSWORD}"}'
token = "json:access_token"
"""
CREATE = """
[[routes]]
name = "create"
method = "POST"
path = "/orders"
headers = { "Authorization" = "Bearer {token}" }
body = '{"customer": {random:1:5000}, "items": [{"sku": "A-{n}", "count": 2}]}'
status = 201
"""
READ = '\n[[routes]]\nname = "read"\npath = "/orders/{random:1:9}"\n'
MIX = '\n[[mixes]]\nname = "shop"\nroutes = { read = 9, create = 1 }\n'


def cases(text: str, folder: Path = Path(), profile: str = "quick") -> tuple[Case, ...]:
    return make_plan(parse_matrix(text, "springbench.toml", folder), profile).cases


def planned(case: Case) -> PlannedInfo:
    return PlannedInfo.model_validate(
        {"forks": 3, "warmup_min_s": 1, "warmup_max_s": 1, "window_s": 10, **request_info(case)}
    )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("plain", ("plain",)),
        ("", ()),
        ('{"a": {"b": [1]}, "c": {}}', ('{"a": {"b": [1]}, "c": {}}',)),
        ('{"a": {random:-5:7}}', ('{"a": ', Random(-5, 7), "}")),
        ("A-{n}{row:sku}", ("A-", Number(), Column("sku"))),
        ("{token} {env:HOME}", (Secret(), " ", Secret("HOME"))),
        ("{{n}} and {{name}}", ("{n} and {name}",)),
    ],
)
def test_places_are_found_and_json_stays_as_it_is(text: str, parts: tuple[object, ...]) -> None:
    assert parse(text) == parts
    assert "{{" in text or written(parse(text)) == text


@pytest.mark.parametrize("text", ["{id}", "{random}", "{random:1}", "{random:a:b}", "{env:}"])
def test_an_unknown_place_is_refused_with_what_there_is(text: str) -> None:
    with pytest.raises(TemplateError, match=r"is no placeholder; allowed: \{random:A:B\}, \{n\}"):
        parse(f"/x/{text}")


@given(st.integers(-3000, 3000), st.integers(0, 3000))
def test_the_mean_length_of_a_number(least: int, more: int) -> None:
    lengths = [len(str(number)) for number in range(least, least + more + 1)]
    assert Random(least, least + more).mean_length == pytest.approx(sum(lengths) / len(lengths))


def test_a_route_becomes_a_template(tmp_path: Path) -> None:
    [case] = cases(HEAD + LOGIN + CREATE, tmp_path)
    assert case.id == "app-orders-own-jvm/create/64"
    [template] = case.templates
    assert template.title == "POST /orders"
    assert template.status == 201
    assert dict(template.headers) == {
        "Authorization": ("Bearer ", Secret()),
        "Content-Type": ("application/json",),
    }
    assert Number() in template.parts
    assert case.warmup_templates == case.templates
    assert case.variant.server.login is not None
    assert not template.is_plain


def test_a_plain_route_is_the_same_load_as_ever(tmp_path: Path) -> None:
    [case] = cases('jar = "a.jar"\n[[routes]]\npath = "/orders/17"\nmethod = "GET"\n', tmp_path)
    assert case.templates == (get("/orders/17"),)
    assert (case.identity, request_info(case)) == ("", {})


def test_bodies_come_from_files_forms_and_rows(tmp_path: Path) -> None:
    (tmp_path / "order.json").write_text('{"n": {n}}', encoding="utf-8")
    (tmp_path / "picture").write_bytes(b"\xff\xfe{id}\x00")
    (tmp_path / "rows.csv").write_text('sku,who\nA,"a ""b"""\nB,c\n', encoding="utf-8")
    text = f"""{HEAD}
[[routes]]
name = "file"
method = "PUT"
path = "/a"
body_file = "order.json"
[[routes]]
name = "picture"
method = "POST"
path = "/b"
body_file = "picture"
[[routes]]
name = "form"
method = "POST"
path = "/c"
form = {{ "q r" = "a&{{random:1:2}}" }}
[[routes]]
name = "rows"
path = "/d?q={{row:sku}}"
rows = "rows.csv"
"""
    file, picture, form, rows = (case.templates[0] for case in cases(text, tmp_path))
    assert file.body == ('{"n": ', Number(), "}")
    # what is no text has nothing to fill in
    assert picture.body is not None
    assert "".join(map(str, picture.body)).encode("utf-8", "surrogateescape") == (
        b"\xff\xfe{id}\x00"
    )
    assert form.body == ("q+r=a%26", Random(1, 2))
    assert dict(form.headers)["Content-Type"] == ("application/x-www-form-urlencoded",)
    assert rows.rows == ({"sku": "A", "who": 'a "b"'}, {"sku": "B", "who": "c"})


def test_a_mix_is_one_load_and_its_routes_are_loaded_alone_where_they_say_so(
    tmp_path: Path,
) -> None:
    [case] = cases(HEAD + LOGIN + CREATE + READ + MIX, tmp_path)
    assert case.id == "app-orders-own-jvm/shop/64"
    assert [(template.name, template.weight) for template in case.templates] == [
        ("create", 1),
        ("read", 9),
    ]
    alone = READ + "connections = [8]\n"
    found = [route_case.id for route_case in cases(HEAD + LOGIN + CREATE + alone + MIX, tmp_path)]
    assert found == ["app-orders-own-jvm/read/8", "app-orders-own-jvm/shop/64"]
    slow = READ + "delay_ms = 100\n"
    [case] = cases(HEAD + LOGIN + CREATE + slow + MIX, tmp_path)
    assert case.theoretical_max_rps == pytest.approx(64 / 0.09)
    one = MIX.replace("create = 1", "create = 0")
    [case] = cases(HEAD + LOGIN + CREATE + READ + one, tmp_path)
    assert (case.workload.id, len(case.templates)) == ("shop", 1)


def test_a_changed_request_is_another_series(tmp_path: Path) -> None:
    def series_of(text: str) -> str:
        return configuration("quick", planned(cases(text, tmp_path)[0]))

    full_text = HEAD + LOGIN + CREATE
    first = series_of(full_text)
    assert first.startswith("quick-3x10s-ask-")
    assert profile_of(first) == "quick"
    assert series_of(full_text) == first
    changed = [
        full_text.replace('method = "POST"', 'method = "PUT"'),
        full_text.replace('"count": 2', '"count": 3'),
        full_text.replace("status = 201", "status = 200"),
        full_text.replace('"Bearer {token}"', '"Bearer {token}", "Accept-Encoding" = "gzip"'),
        full_text.replace("/orders", "/v2/orders"),
        full_text + READ + MIX,
        full_text + READ + MIX.replace("9", "8"),
    ]
    seen = {series_of(text) for text in changed}
    assert len(seen) == len(changed)
    assert first not in seen
    # how much of an answer is looked at changes nothing of what is asked
    assert series_of(f"{full_text}contains = 'id'\n") == first


def test_no_value_of_a_header_or_body_stands_in_a_result(tmp_path: Path) -> None:
    text = HEAD + LOGIN + CREATE.replace("Bearer {token}", "Bearer {token}{env:ORDERS_KEY}")
    [case] = cases(f"{text}json_path = 'id'\n", tmp_path)
    found = planned(case)
    assert found.model_dump()["requests"] == [
        {
            "name": "create",
            "method": "POST",
            "path": "/orders",
            "success": "201 with id in JSON",
            "weight": 1,
        }
    ]
    assert "above 399" in (found.checked or "")
    assert "customer" not in found.model_dump_json()
    assert "Bearer" not in found.model_dump_json()


ROUTE = '\n[[routes]]\nname = "a"\npath = "/a"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROUTE + 'body_file = "none.json"\n', "body_file: none.json: cannot be read: No such file"),
        (ROUTE + 'body_file = "."\n', "body_file: .: cannot be read: not a regular file"),
        (ROUTE + 'body = "x"\nbody_file = "y"\n', "body and body_file exclude one another"),
        (ROUTE + 'body = "x"\nform = { a = "b" }\n', "body and form exclude one another"),
        (ROUTE + "body = '{\"a\": {rand:1:2}}'\n", "body: {rand:1:2} is no placeholder; allowed"),
        (ROUTE + 'body = "{random:9:1}"\n', "body: {random:9:1}: the smaller number comes first"),
        (ROUTE + 'headers = { "A" = "{token}" }\n', "headers.A: {token} needs a table [login]"),
        (ROUTE + 'headers = { "A" = "x\\ny" }\n', "headers.A: allowed: printable ASCII"),
        (ROUTE + 'headers = { "A\\nB" = "x" }\n', "headers.A B: allowed: the name of a header"),
        (ROUTE + 'headers = { "content-length" = "1" }\n', "is written by springbench; leave it"),
        (ROUTE + 'method = "HEAD"\n', "method: allowed: 'GET', 'POST', 'PUT', 'PATCH'"),
        (ROUTE + "status = 404\n", "status: allowed: 399 or less"),
        (ROUTE + 'body = "{row:x}"\n', "body: {row:x} needs rows: a CSV file"),
        (ROUTE + 'rows = "r.csv"\nbody = "{row:x}"\n', "{row:x} is no column; allowed: a, b"),
        (ROUTE + 'rows = "short.csv"\n', "rows: short.csv: row 1 has other columns"),
        (ROUTE + 'rows = "empty.csv"\n', "rows: empty.csv: it has no row below its heading"),
        (ROUTE + '[[mixes]]\nname = "m"\nroutes = { a = 0 }\n', "all weights are 0"),
        (ROUTE + '[[mixes]]\nname = "m"\nroutes = { b = 1 }\n', "'b' is not declared; allowed: a"),
        (ROUTE + '[[mixes]]\nname = "m"\nroutes = {}\n', "mixes[0].routes: must not be empty"),
        (ROUTE + '[[mixes]]\nname = "m"\nroutes = { a = -1 }\n', "allowed: 0 or more"),
        (ROUTE + '[[mixes]]\nname = "a"\nroutes = { a = 1 }\n', "is the name of another route"),
        (ROUTE + LOGIN.replace("json:", "body:"), "login.token: allowed: json:access_token, head"),
        (ROUTE + LOGIN.replace("{env:ORDERS_PASSWORD}", "{token}"), "login.body: {token} needs"),
        (ROUTE.replace('"/a"', '"/a/{id}"'), "'/a/{id}' needs a value in the place of its braces"),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (tmp_path / "short.csv").write_text("a,b\n1\n", encoding="utf-8")
    (tmp_path / "empty.csv").write_text("a,b\n", encoding="utf-8")
    with pytest.raises(ConfigurationError) as caught:
        cases(HEAD + text, tmp_path)
    [line] = str(caught.value).splitlines()
    assert line.startswith("springbench.toml:")
    assert message in line


def test_without_a_plain_get_the_health_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="health: this key is missing, and no route is"):
        cases((HEAD + LOGIN + CREATE).replace('health = "/health"\n', ""), tmp_path)
    [_, case] = cases((HEAD + LOGIN + CREATE + ROUTE).replace('health = "/health"\n', ""), tmp_path)
    assert case.variant.server.health == "/a"


def test_a_get_with_a_body_is_allowed(tmp_path: Path) -> None:
    [case] = cases(HEAD + ROUTE + "body = '{\"query\": 1}'\n", tmp_path)
    assert case.templates[0].body == ('{"query": 1}',)


def test_a_variable_that_is_not_set_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORDERS_PASSWORD", raising=False)
    matrix = parse_matrix(HEAD + LOGIN + CREATE, "springbench.toml", tmp_path)
    plan = make_plan(matrix, "quick")
    with pytest.raises(ConfigurationError) as caught:
        check_requests(plan)
    assert str(caught.value) == (
        "{env:ORDERS_PASSWORD} is not set here; set it where springbench is started"
    )
    monkeypatch.setenv("ORDERS_PASSWORD", "x")
    check_requests(plan)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LOGIN + ROUTE + 'headers = { "A" = "{token}" }\n', "oha takes the header A on its comm"),
        (ROUTE + 'headers = { "A" = "{random:1:2}" }\n', "oha sends the same header A each time"),
        (ROUTE + 'body = "{n}"\n', "cannot number requests by {n}"),
        (ROUTE + 'body = "a\\n{random:1:2}"\n', "write this one on one line"),
        (ROUTE.replace('"/a"', '"/{random:1:2}"') + 'body = "{random:1:2}"\n', "each by itself"),
        (LOGIN + CREATE + READ + MIX, "oha sends a mix only where its routes differ"),
    ],
)
def test_what_cannot_be_sent_at_a_rate_is_refused_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    monkeypatch.setenv("ORDERS_PASSWORD", "x")
    matrix = parse_matrix(HEAD + text, "springbench.toml", tmp_path)
    check_requests(make_plan(matrix, "quick"))
    with pytest.raises(ConfigurationError) as caught:
        check_requests(make_plan(matrix, "quick", Filters(rates=(50,))))
    [line] = str(caught.value).splitlines()
    assert message in line
