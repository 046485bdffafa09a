"""Requests with a login, a body and a mix: a service that is measured from its file alone."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.conftest import Cli, left_behind
from tests.processes import SERVICES, Springbench, running

pytestmark = pytest.mark.process

# as the service makes them
TOKEN = re.compile("token-[0-9a-f]{24}")
PASSWORD = "a-password-that-nobody-may-read"  # noqa: S105
SHORT = """\
import springbench.matrix.service as service
load = service._load
service._load = lambda *given: load(*given).model_copy(
    update={"warmup_min_s": 0.2, "warmup_max_s": 0.2}
)
"""
OTHER_CERTIFICATE = SERVICES / "other_certificate.pem"
QUICKLY = ("--forks", "1", "--duration", "2")
FILE = """\
name = "orders"
command = [{python}, {server}, "{{port}}", "{mode}"]
health = "/health"
pass_env = ["ORDERS_PASSWORD"]

[login]
path = "/login"
body = '{{"user": "bench", "password": "{{env:ORDERS_PASSWORD}}"}}'
token = "{token}"

[[routes]]
name = "create"
method = "POST"
path = "/orders"
headers = {{ "Authorization" = "Bearer {{token}}" }}
body = '{{"customer": {{random:1:50}}, "items": [{{"sku": "A-{{n}}", "count": 2}}]}}'
status = 201
contains = "id"
connections = [4]

[[routes]]
name = "read"
path = "/orders/{{random:1:9}}"
headers = {{ "Authorization" = "Bearer {{token}}" }}
json_path = "customer"

[[routes]]
name = "list"
path = "/orders?size=50"
headers = {{ "Authorization" = "Bearer {{token}}" }}
json_path = "orders.0.id"

[[mixes]]
name = "shop"
routes = {{ read = 7, list = 2, create = 1 }}
connections = [4]
"""


def project(
    tmp_path: Path,
    mode: str = "fine",
    token: str = "json:data.access_token",  # noqa: S107 - where it is, and none
) -> Path:
    file = tmp_path / "springbench.toml"
    server = str(SERVICES / "order_service.py")
    text = FILE.format(python=repr(sys.executable), server=repr(server), mode=mode, token=token)
    file.write_text(text, encoding="utf-8")
    return file


def measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: Path, *options: str
) -> tuple[int, Springbench, str]:
    monkeypatch.setenv("ORDERS_PASSWORD", PASSWORD)
    with running(tmp_path, "--matrix", file, *QUICKLY, *options, patch=SHORT) as springbench:
        code, out, err = springbench.end()
    assert left_behind() == []
    # no secret in anything that is kept or printed
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    texts = [out, err, *(path.read_text(encoding="utf-8", errors="replace") for path in files)]
    assert not any(PASSWORD in text or TOKEN.search(text) for text in texts)
    return code, springbench, out + err


def test_a_mix_with_a_login_is_measured_and_reported_by_route(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, springbench, output = measure(tmp_path, monkeypatch, project(tmp_path))
    assert (code, springbench.statuses) == (
        0,
        {"app-orders-own-command/create/4": "ok", "app-orders-own-command/shop/4": "ok"},
    ), output
    created, mixed = springbench.run.results
    [fork] = mixed.forks
    assert fork.load
    assert fork.load.error_ratio == 0
    parts = {route.name: route for route in fork.load.routes}
    assert {name: route.share_ratio for name, route in parts.items()} == {
        "create": 0.1,
        "read": 0.7,
        "list": 0.2,
    }
    total = sum(route.throughput_rps for route in parts.values())
    assert total == pytest.approx(fork.load.throughput_rps)
    assert all(route.probes and not route.wrong_answer for route in parts.values())
    assert "by route: create 10" in output
    [fork] = created.forks
    assert fork.load
    assert fork.load.routes == []
    assert fork.load.throughput_rps > 0
    assert created.planned
    [request] = created.planned.requests
    assert (request.method, request.path, request.success) == ("POST", "/orders", "201 with 'id'")
    assert created.planned.requests_digest


@pytest.mark.parametrize(
    ("certificate", "reason"),
    [
        (SERVICES / "certificate.pem", ""),
        (
            OTHER_CERTIFICATE,
            "/health is answered with another certificate than the one that it should",
        ),
    ],
)
def test_a_service_with_a_key_of_its_own_is_asked_over_tls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, certificate: Path, reason: str
) -> None:
    file = project(tmp_path, "tls")
    text = file.read_text(encoding="utf-8")
    keys = f'protocols = ["https1"]\ncertificate = "{certificate}"\n'
    file.write_text(keys + text, encoding="utf-8")
    _, springbench, output = measure(tmp_path, monkeypatch, file, "--only", "*/shop-https1/*")
    [result] = springbench.run.results
    assert reason in str(result.reason), output
    assert [fork.load is not None for fork in result.forks] == [not reason]


@pytest.mark.system
@pytest.mark.parametrize(
    "token", [pytest.param("header:X-Token", marks=pytest.mark.system), "cookie:SESSION"]
)
def test_a_token_comes_as_a_header_or_a_cookie(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    file = project(tmp_path, token=token)
    code, springbench, output = measure(tmp_path, monkeypatch, file, "--only", "*/shop/*")
    assert (code, [*springbench.statuses.values()]) == (0, ["ok"]), output


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        pytest.param(
            *(
                "silent",
                "login: POST /login was answered 200 without json:data.access_token; it has",
            ),
            marks=pytest.mark.system,
        ),
        ("sloppy", "POST /orders answered 200, not 201 with 'id': "),
        pytest.param(
            *(
                "empty",
                "GET /orders?size=50 answered 200 without orders.0.id in JSON, not 200 with",
            ),
            marks=pytest.mark.system,
        ),
    ],
)
def test_what_came_instead_is_one_line_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, reason: str
) -> None:
    file = project(tmp_path, mode)
    code, springbench, _ = measure(tmp_path, monkeypatch, file, "--only", "*/shop/*")
    assert code == 4
    [result] = springbench.run.results
    assert str(result.reason).startswith(reason)
    assert result.forks[0].load is None


@pytest.mark.system
def test_redirections_to_the_login_do_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project(tmp_path, "forgets")
    _, springbench, output = measure(tmp_path, monkeypatch, file, "--only", "*/create/*")
    [result] = springbench.run.results
    # in warm-up, or in the window
    assert "answered 302 to /login" in output
    assert all(fork.load.throughput_rps < 100 for fork in result.forks if fork.load)


def test_a_password_that_is_not_set_is_one_line(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ORDERS_PASSWORD", raising=False)
    file = project(tmp_path)
    code, _, err = cli("run", "--matrix", file, "--results", tmp_path / "results")
    assert code == 2
    assert "{env:ORDERS_PASSWORD} is not set here" in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "results").exists()


@pytest.mark.system
def test_a_password_that_is_wrong_is_in_no_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project(tmp_path)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('pass_env = ["ORDERS_PASSWORD"]\n', ""), encoding="utf-8")
    code, springbench, _ = measure(tmp_path, monkeypatch, file, "--only", "*/create/*")
    assert code == 4
    [result] = springbench.run.results
    assert str(result.reason) == "POST /login answered 401, not 200 to 399"


def test_a_broken_limit_is_reported_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = project(tmp_path)
    limits = "\n[limits]\nthroughput_rps = 1e9\nerror_ratio = 0.5\n"
    file.write_text(file.read_text(encoding="utf-8") + limits, encoding="utf-8")
    code, springbench, output = measure(tmp_path, monkeypatch, file, "--only", "*/shop/*")
    assert code == 1, output
    [result] = springbench.run.results
    assert {limit.name: limit.verdict for limit in result.limits} == {
        "throughput_rps": "broken",
        "error_ratio": "kept",
    }
    assert "limits broken: throughput at least 1,000,000,000" in output
