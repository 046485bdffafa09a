"""The small file of one service: what it leaves out, what it becomes, what is wrong with it."""

from __future__ import annotations

import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.bench import services
from springbench.bench.services import upstream_options
from springbench.errors import ConfigurationError, ExitCode
from springbench.matrix.load import load_matrix, parse_matrix
from springbench.matrix.rows import Matrix
from springbench.matrix.service import DEFAULTS
from springbench.matrix.service_name import SERVICE_BOOT
from springbench.matrix.service_rows import named_after
from springbench.matrix.templates import get
from springbench.messages import show_messages
from springbench.paths import MATRIX
from springbench.plan.plan import make_plan
from tests.processes import SERVICES

SMALL = """\
jar = "target/orders.jar"

[[routes]]
path = "/orders/17"
"""


def matrix_of(text: str, folder: Path) -> Matrix:
    return parse_matrix(text, "springbench.toml", folder)


def mistakes_in(text: str, folder: Path) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        matrix_of(text, folder)
    assert caught.value.exit_code is ExitCode.USAGE
    return str(caught.value).splitlines()


def test_two_keys_and_a_route_are_enough(tmp_path: Path) -> None:
    [case] = make_plan(matrix_of(SMALL, tmp_path), "quick").cases
    assert case.id == "app-service-own-jvm/orders-17/64"
    assert (case.forks, case.templates) == (3, (get("/orders/17"),))
    assert case.variant.server.health == "/orders/17"
    assert Path(case.variant.module, case.variant.artifact) == tmp_path / "target/orders.jar"
    assert case.variant.server.run_in == str(tmp_path)


def test_it_is_measured_at_each_memory_limit(tmp_path: Path) -> None:
    text = f'memory = ["256m", "1g"]\n{SMALL}'
    cases = make_plan(matrix_of(text, tmp_path), "quick").cases
    assert [case.id for case in cases] == [
        "app-service-own-jvm_256m/orders-17/64",
        "app-service-own-jvm/orders-17/64",
    ]
    [message] = mistakes_in(f'memory = ["8m"]\n{SMALL}', tmp_path)
    assert message == "springbench.toml:1: memory[0]: '8m' is too little; allowed: 64m and more"


def test_it_is_measured_on_each_number_of_cpus(tmp_path: Path) -> None:
    cases = make_plan(matrix_of(f'cpus = ["0.5", "2"]\n{SMALL}', tmp_path), "quick").cases
    assert [case.id for case in cases] == [
        "app-service-own-jvm_0.5q/orders-17/64",
        "app-service-own-jvm_2cpu/orders-17/64",
    ]
    [message] = mistakes_in(f'cpus = ["0.01"]\n{SMALL}', tmp_path)
    assert message == "springbench.toml:1: cpus[0]: '0.01' is too little; allowed: 0.05 and more"


@pytest.mark.parametrize("profile", ["quick", "commit", "pr"])
def test_each_profile_loads_each_route(tmp_path: Path, profile: str) -> None:
    text = f'{SMALL}connections = [8, 512]\n[[routes]]\npath = "/slow"\ndelay_ms = 2000\n'
    cases = make_plan(matrix_of(text, tmp_path), profile).cases
    assert [case.id.split("/", 1)[1] for case in cases] == [
        "orders-17/8",
        "orders-17/512",
        "slow/64",
    ]
    slow = cases[-1]
    assert slow.theoretical_max_rps == 32
    assert slow.window_s >= 3 * slow.workload.delay_s


def test_all_else_can_be_said(tmp_path: Path) -> None:
    text = f"""\
name = "orders"
models = ["platform", "virtual"]
runtimes = ["jvm", "jvm-aot"]
java_options = ["-XX:+UseZGC"]
health = "/actuator/health"
environment = {{ LEVEL = "{{warn}}" }}
properties = {{ "a.b" = "{{c}}" }}
{SMALL}"""
    cases = make_plan(matrix_of(text, tmp_path), "quick").cases
    assert {case.variant.id for case in cases} == {
        f"app-orders-{model}-{runtime}"
        for model in ("platform", "virtual")
        for runtime in ("jvm", "jvm-aot")
    }
    virtual = next(case.variant for case in cases if case.variant.model.id == "virtual")
    assert virtual.model.properties_for("orders", 64) == {
        "a.b": "{c}",
        "spring.threads.virtual.enabled": "true",
    }
    assert "-XX:+UseZGC" in virtual.runtime.start
    assert not any("Use" in word for word in virtual.runtime.start if word != "-XX:+UseZGC")
    assert virtual.server.environment == {"LEVEL": "{warn}"}
    trained = next(case.variant for case in cases if case.variant.runtime.id == "jvm-aot")
    assert trained.runtime.train_requests == {"/orders/17": 2000}


@pytest.mark.parametrize(
    ("command", "program", "start"),
    [
        (["./serve", "--port", "{port}"], "serve", ("{artifact}", "--port", "{port}")),
        (["sh", "run.sh", "{port}"], "run.sh", ("sh", "{artifact}", "{port}")),
        (["sh", "-c", "nothing", "{port}"], "sh", ("{artifact}", "-c", "nothing", "{port}")),
    ],
)
def test_a_command_is_about_the_first_file_that_it_names(
    tmp_path: Path, command: list[str], program: str, start: tuple[str, ...]
) -> None:
    (tmp_path / "serve").touch()
    (tmp_path / "run.sh").touch()
    text = f'command = {command}\n[[routes]]\npath = "/"\n'
    [case] = make_plan(matrix_of(text, tmp_path), "quick").cases
    assert case.variant.artifact == program
    assert case.variant.runtime.start == start
    assert not case.variant.runtime.needs_java
    assert case.id.endswith("-command/root/64")


@pytest.mark.parametrize(
    ("jar", "folder", "name"),
    [
        ("app.jar", "", "app.jar"),
        ("target/orders-*.jar", "target", "orders-*.jar"),
        ("*/libs/app.jar", "", "*/libs/app.jar"),
        ("build/**/app-[0-9].jar", "build", "**/app-[0-9].jar"),
        ("odd[1].jar", "", "odd[1].jar"),
    ],
)
def test_a_glob_stays_one_until_the_jar_is_needed(
    tmp_path: Path, jar: str, folder: str, name: str
) -> None:
    (tmp_path / "odd[1].jar").touch()
    text = f'jar = "{jar}"\n[[routes]]\npath = "/"\n'
    [case] = make_plan(matrix_of(text, tmp_path), "quick").cases
    assert (Path(case.variant.module), case.variant.artifact) == (tmp_path / folder, name)
    assert case.variant.server.built_by == "caller"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[routes]]\npath = "/"\n', "jar: this key is missing, or command"),
        (f'command = ["x", "{{port}}"]\n{SMALL}', ":1: command: jar and command exclude"),
        ('jar = "a.jar"\n', "routes: this key is missing"),
        ('jar = "a.jar"\nroutes = []\n', ":2: routes: must not be empty"),
        ('jar = "a.jar"\n[[routes]]\n', ":2: routes[0].path: this key is missing"),
        (SMALL.replace("/orders", "orders"), ":4: routes[0].path: allowed: a path that begins"),
        (
            SMALL + "conections = [1]\n",
            ":5: routes[0].conections: unknown key; allowed here: method,",
        ),
        (SMALL + "connections = [0]\n", ":5: routes[0].connections[0]: allowed: 1 or more"),
        (SMALL + '[[routes]]\npath = "/orders-17"\n', "several routes are called 'orders-17'"),
        (f'models = ["reactive"]\n{SMALL}', ":1: models[0]: allowed: 'own', 'platform' or"),
        ('command = ["./serve"]\n[[routes]]\npath = "/"\n', ":1: command: {port} must stand"),
        (
            'command = ["a", "{prt}{port}"]\n[[routes]]\npath = "/"\n',
            "{prt} is no place to fill in",
        ),
        (
            'command = ["a", "{port}"]\nproperties = { a = "b" }\n[[routes]]\npath = "/"\n',
            ":2: properties: goes with jar alone",
        ),
        (SMALL.replace("17", "{id}"), ":4: routes[0].path: '/orders/{id}' needs a value in the"),
        (SMALL.replace("17", "a}"), ":4: routes[0].path: '/orders/a}' needs a value in the"),
        (f'health = "/{{x}}"\n{SMALL}', ":1: health: '/{x}' needs a value in the place of"),
        (f'{SMALL}[[services]]\nname = "db"\n', ":5: services[0].command: this key is missing"),
        (
            f"{SMALL}[slow_upstream]\ndelay_ms = 9\n",
            ": slow_upstream.variable: this key is missing",
        ),
        (
            f'{SMALL}[slow_upstream]\ndelay_ms = [9, 1]\nvariable = "X"\n',
            ":6: slow_upstream.delay_ms: the least of [9.0, 1.0] comes first",
        ),
        (
            f'{SMALL}[slow_upstream]\nvariable = "X"\n',
            ": slow_upstream.delay_ms: this key is missing",
        ),
        (
            f'{SMALL}[slow_upstream]\ndelay_ms = -1\nvariable = "X"\n',
            ":6: slow_upstream.delay_ms: ",
        ),
        (
            f'{SMALL}[[services]]\nname = "db"\ncommand = ["a"]\nport = 1\nhost = "x"\n',
            ":9: services[0].host: unknown key; allowed here: name, command, port,",
        ),
        (f"schema = 2\n{SMALL}", ":1: schema: allowed: 1"),
        (f'name = "Orders!"\n{SMALL}', ":1: name: allowed: lower-case letters and digits"),
        (f"{SMALL}[limits]\np99_at_rate = 50\n", ": limits.p99_ms: this key is missing"),
        (f"{SMALL}[limits]\nmemory_mib = 0\n", ":6: limits.memory_mib: allowed: more than 0"),
        (f"{SMALL}[limits]\np95_ms = 1\n", ":6: limits.p95_ms: unknown key; allowed here: p99_ms"),
        (f'protocols = ["h3"]\n{SMALL}', ":1: protocols[0]: allowed: 'http1', 'https1', 'h2c'"),
        (
            'command = ["a", "{port}"]\nprotocols = ["https1"]\n[[routes]]\npath = "/"\n',
            ": certificate: this key is missing: https1 is over TLS",
        ),
        (
            f'certificate = "a.pem"\n{SMALL}',
            ":1: certificate: none of protocols is over TLS; add",
        ),
        (
            f'protocols = ["h2"]\ncertificate = "a.pem"\n{SMALL}',
            ":2: certificate: 'a.pem': No such file",
        ),
        (
            f'protocols = ["h2"]\ncertificate = "text.pem"\n{SMALL}',
            ":2: certificate: 'text.pem' holds no certificate in PEM",
        ),
        (
            f'protocols = ["h2"]\ncertificate = "a.pem"\nruntimes = ["jvm-aot"]\n{SMALL}',
            ":2: certificate: goes with the runtime jvm alone",
        ),
        (
            f'protocols = ["h2"]\n{SMALL}[[routes]]\npath = "/orders/17/h2"\n',
            ": routes[1].name: 'orders-17-h2' is the name of another route over a protocol",
        ),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "text.pem").write_text("no certificate", encoding="utf-8")
    lines = mistakes_in(text, tmp_path)
    assert any(message in line for line in lines), lines
    assert all(line.startswith("springbench.toml") for line in lines)


def test_the_earlier_name_of_a_table_is_read_and_named(tmp_path: Path) -> None:
    lines: list[str] = []
    show_messages(lines.append)
    text = f'{SMALL}[[services]]\nname = "db"\ncommand = ["a"]\nport = 1\n'
    earlier = parse_matrix(text.replace("[[services]]", "[[needs]]"), "x.toml", tmp_path)
    assert lines == ["x.toml: [[needs]] is called [[services]] now; write that"]
    assert earlier == parse_matrix(text, "x.toml", tmp_path)
    assert len(lines) == 1


def test_the_defaults_are_those_of_this_repository() -> None:
    defaults, own_matrix = load_matrix(DEFAULTS), load_matrix(MATRIX)
    # what tells a service from a server of this repository, in reports and on the dashboard
    assert [boot.id for boot in defaults.boots] == [SERVICE_BOOT]
    assert SERVICE_BOOT not in {boot.id for boot in own_matrix.boots}
    assert defaults.word_lists["hotspot_options"] == own_matrix.word_lists["hotspot_options"]
    own_runtimes = {row.id: row for row in own_matrix.runtimes}
    # but for the collector, which is a service's own choice, and its properties: they are the JVM's
    placeholders = {"{java_options}", "-XX:+UseSerialGC", "{properties}"}
    for row in (runtime for runtime in defaults.runtimes if runtime.id in own_runtimes):
        for words, own_words in (
            (row.start, own_runtimes[row.id].start),
            (row.train, own_runtimes[row.id].train),
        ):
            assert [w for w in words if w not in placeholders] == [
                w for w in own_words if w not in placeholders
            ]
        assert row.prepare == own_runtimes[row.id].prepare
        # not every application hands its arguments on to Spring
        assert "{properties}" not in (*row.start, *row.train)
        assert "{properties}" in own_runtimes[row.id].start
    ways = [row.model_copy(update={"runtimes": ()}) for row in own_matrix.protocols]
    assert list(defaults.protocols) == ways
    pairs = {row.id: row for row in own_matrix.profiles}["pr"]
    assert {row.id: row for row in defaults.profiles}["pr"].java_options == pairs.java_options


@given(st.text(string.printable, max_size=60))
def test_every_route_has_a_name(text: str) -> None:
    name = named_after("/" + text)
    assert parse_route_name(name) == name


def parse_route_name(name: str) -> str:
    [case] = make_plan(
        parse_matrix(f'jar = "a.jar"\n[[routes]]\npath = "/x"\nname = "{name}"\n'), "quick"
    ).cases
    return case.workload.id


def test_the_slow_upstream_goes_to_each_route_with_its_delays(tmp_path: Path) -> None:
    text = f'{SMALL}[slow_upstream]\ndelay_ms = [0, 1000]\nproperty = "prices.url"\n'
    plan = make_plan(matrix_of(text, tmp_path), "quick")
    assert plan.needs("upstream")
    assert not plan.needs("database")
    assert upstream_options(plan) == ("--delay=uniform(0,1000)",)
    one = make_plan(matrix_of(text.replace("[0, 1000]", "12.5"), tmp_path), "quick")
    assert upstream_options(one) == ("--delay=12.5",)
    assert upstream_options(make_plan(matrix_of(SMALL, tmp_path), "quick")) == ()
    both = replace(plan, cases=(*plan.cases, *one.cases))
    with pytest.raises(ConfigurationError, match=r"its delays are 12\.5 and uniform\(0,1000\)"):
        upstream_options(both)


def test_a_route_is_measured_over_each_protocol(tmp_path: Path) -> None:
    text = f'protocols = ["http1", "https1", "h2"]\n{SMALL}'
    cases = {case.workload.id: case for case in make_plan(matrix_of(text, tmp_path), "quick").cases}
    assert list(cases) == ["orders-17", "orders-17-https1", "orders-17-h2"]
    assert cases["orders-17-h2"].workload.properties == {
        "server.http2.enabled": "true",
        "server.ssl.key-store": "{key_store}",
        "server.ssl.key-store-password": "{key_store_password}",
    }


@pytest.mark.parametrize(("profile", "rates"), [("quick", (50,)), ("commit", (50,)), ("pr", ())])
def test_the_rate_of_a_limit_is_measured_where_limits_are_evaluated(
    tmp_path: Path, profile: str, rates: tuple[int, ...]
) -> None:
    text = f"{SMALL}[limits]\np99_ms = 9\np99_at_rate = 50\n"
    [case] = make_plan(matrix_of(text, tmp_path), profile).cases
    assert case.rates == rates


def test_a_service_with_a_certificate_keeps_its_key(tmp_path: Path) -> None:
    certificate = SERVICES / "certificate.pem"
    text = f'protocols = ["h2"]\ncertificate = "{certificate}"\n{SMALL}'
    [case] = make_plan(matrix_of(text, tmp_path), "quick").cases
    assert case.workload.properties == {"server.http2.enabled": "true"}
    assert case.variant.server.certificate == str(certificate)


def test_a_package_has_no_slow_upstream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f'{SMALL}[slow_upstream]\ndelay_ms = 5\nproperty = "prices.url"\n'
    plan = make_plan(matrix_of(text, tmp_path), "quick")
    monkeypatch.setattr(services, "IN_CLONE", False)
    monkeypatch.setattr(services, "upstream_jar", lambda _: tmp_path / "none.jar")
    with pytest.raises(ConfigurationError, match="is a package, which holds no jar of it"):
        services.check_upstream(plan, None)
    services.check_upstream(make_plan(matrix_of(SMALL, tmp_path), "quick"), None)
