"""A wrong matrix is answered with the file, the line, the key and what is allowed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError, ExitCode
from springbench.matrix import load_matrix, parse_matrix
from springbench.paths import MATRIX
from springbench.rows import Cap, Matrix, PerCpu

TEXT = MATRIX.read_text(encoding="utf-8")
LINES = TEXT.splitlines()
HEADERS = [number for number, line in enumerate(LINES) if line.startswith("[[")]
MISTAKE = re.compile(r"^m\.toml(:\d+)?: \S.*: \S.*$")
JARGON = ("pydantic", "Input should", "PerCpu", "literal[", "tuple[", "constrained", "Tuple")


def mistakes(text: str) -> list[str]:
    """The lines of the message; each has the form that a person can follow."""
    with pytest.raises(ConfigurationError) as caught:
        parse_matrix(text, "m.toml")
    assert caught.value.exit_code is ExitCode.USAGE
    lines = str(caught.value).splitlines()
    for line in lines:
        assert MISTAKE.match(line), line
        assert not any(word in line for word in JARGON), line
    return lines


def changed(old: str, new: str) -> str:
    """The real matrix with the first `old` after its head comment replaced."""
    begin = TEXT.index("schema = 1")
    assert old in TEXT[begin:]
    return TEXT[:begin] + TEXT[begin:].replace(old, new, 1)


def line_with(text: str, words: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if words in line)


def test_the_matrix_of_this_repository_is_right(matrix: Matrix) -> None:
    assert [server.id for server in matrix.servers] == ["tomcat", "jetty", "undertow", "netty"]
    assert [profile.id for profile in matrix.profiles][:2] == ["smoke", "quick"]


@given(st.sampled_from([None, *HEADERS]), st.from_regex(r"zz[a-z_]{1,9}", fullmatch=True))
def test_an_unknown_key_is_refused_in_every_table(header: int | None, key: str) -> None:
    at = LINES.index("schema = 1") if header is None else header
    text = "\n".join([*LINES[: at + 1], f"{key} = 1", *LINES[at + 1 :]])
    [line] = mistakes(text)
    assert line.startswith(f"m.toml:{at + 2}: ")
    assert f"{key}: unknown key; allowed here: " in line
    assert "schema" in line if header is None else "id" in line or "workload" in line or "at_once"


def test_an_unknown_key_of_an_inline_table_is_refused() -> None:
    text = changed("{ per_cpu = 8,", "{ per_core = 8, per_cpu = 8,")
    [line] = mistakes(text)
    assert line == (
        f"m.toml:{line_with(text, 'per_core')}: caps[3].at_once.per_core: "
        "unknown key; allowed here: per_cpu, min_cpus"
    )


def test_a_misspelt_key_is_both_unknown_and_missing() -> None:
    missing, unknown = mistakes(changed('health = "/hello"', 'healht = "/hello"'))
    assert "servers[0].health: this key is missing" in missing
    assert "servers[0].healht: unknown key; allowed here: id, boots" in unknown


@pytest.mark.parametrize("table", ["boots", "servers", "models", "runtimes", "workloads"])
def test_a_duplicate_id_is_named_with_its_line(table: str) -> None:
    rows = [number for number in HEADERS if LINES[number] == f"[[{table}]]"]
    first = LINES[rows[0] + 1]
    begin, end = rows[0], [*HEADERS, len(LINES)][HEADERS.index(rows[0]) + 1]
    copy = LINES[begin:end]
    text = "\n".join([*LINES[:end], *copy, *LINES[end:]])
    [line] = mistakes(text)
    assert line.startswith(f"m.toml:{end + 2}: {table}[1].id: duplicate ")
    assert first.split('"')[1] in line


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'models = ["virtual", "reactive"]',
            'models = ["platform"]',
            "profiles[0].loads[0].models: server 'netty' has no model 'platform'; it has: reactive",
        ),
        (
            'server = "jetty"\nmodel = "virtual"',
            'server = "jetty"\nmodel = "reactive"',
            "caps[2].model: server 'jetty' has no model 'reactive'; it has: platform, ",
        ),
        (
            'server = "jetty"\nmodel = "virtual"',
            'server = "jety"\nmodel = "virtual"',
            "caps[2].server: 'jety' is not declared; allowed: tomcat, jetty, undertow, netty",
        ),
        (
            'boots = ["boot4", "boot3"]',
            'boots = ["boot5"]',
            "servers[0].boots: 'boot5' is not declared; allowed: boot4, boot3",
        ),
        (
            'models = ["reactive"]',
            'models = ["reactive", "green"]',
            "servers[3].models: 'green' is not declared; allowed: platform, platform-tuned",
        ),
        (
            'runtimes = ["jvm", ',
            'runtimes = ["jwm", ',
            "servers[0].runtimes: 'jwm' is not declared; allowed: jvm",
        ),
        (
            'workload = "hello"',
            'workload = "helo"',
            "profiles[0].loads[0].workload: 'helo' is not declared; allowed: hello, json, pay",
        ),
        (
            'servers = ["tomcat", "netty"]',
            'servers = ["tomcat", "nety"]',
            "profiles[0].loads[0].servers: 'nety' is not declared; allowed: tomcat",
        ),
        (
            '\nboots = "newest"',
            '\nboots = ["boot9"]',
            "profiles[0].loads[0].boots: 'boot9' is not declared; allowed: boot4, boot3",
        ),
        (
            "server_properties = { undertow",
            "server_properties = { nginx",
            "models[2].server_properties: 'nginx' is not declared; allowed: tomcat",
        ),
        (
            'image = "virtual"',
            'image = "virtul"',
            "models[3].image: 'virtul' is not declared; allowed: platform, platform-tuned, virtual",
        ),
        (
            '"server.jetty.threads.max" = "{connections}"',
            '"server.jetty.threads.max" = "{connection}"',
            "models[1].server_properties.jetty.server.jetty.threads.max: {connection} is no place",
        ),
        (
            'server = "jetty"\nmodel = "virtual"',
            'server = "jetty"\nmodel = "platform"',
            "caps[2]: duplicate cap of server 'jetty', model 'platform'",
        ),
        (
            "warmup_min_s = 1\n",
            "warmup_min_s = 5\n",
            "profiles[0].loads[0].warmup_min_s: must not exceed warmup_max_s (2)",
        ),
        (
            '"{artifact}",',
            '"{artefact}",',
            "runtimes[0].start[10]: {artefact} is no place to fill in; allowed: {java}, {artifact}",
        ),
        ('"{artifact}",', '"{artifact",', "runtimes[0].start[10]: "),
        (
            '"{pid}", ',
            '"{number}", ',
            "runtimes[1].train_end[1]: {number} is no place to fill in; allowed: {jcmd}, {pid}",
        ),
        (
            '"{maven}",',
            '"{mvn}",',
            "runtimes[2].prepare[0][0]: {mvn} is no place to fill in; allowed: {java}",
        ),
        ('makes = "app.aot"\n', "", "runtimes[1]: prepare and train need makes"),
        (
            'boots = ["boot4"]\nneeds',
            'boots = ["boot9"]\nneeds',
            "runtimes[2].boots: 'boot9' is not declared; allowed: boot4, boot3",
        ),
        (
            'health = "/hello"\n',
            'health = "/hello"\nroutes = { bye = "/" }\n',
            "servers[0].routes: 'bye' is not declared; allowed: hello, json",
        ),
        (
            'module = "servers/{boot}/{server}"',
            'module = "servers/{boots}"',
            "servers[0].module: {boots} is no place to fill in; allowed: {boot}, {server}",
        ),
        (
            "pool_size = 40",
            "pool_size = 97",
            "database.pool_size: must leave 4 of max_connections; allowed: at most 96",
        ),
        (
            'ids = "sequence"',
            "ids = 6_000_001",
            "workloads[5].ids: the table has no such row; allowed: 1 to 6000000",
        ),
        (
            'route = "/users/{id}"',
            'route = "/users/5800000"',
            "workloads[5].route: {id} stands in the route exactly where `ids` is given",
        ),
        (
            'route = "/hello"',
            'route = "/hello/{id}"',
            "workloads[0].route: {id} stands in the route exactly where `ids` is given",
        ),
        (
            'servers = ["tomcat", "jetty", "undertow"]\nproperties',
            'servers = ["tomkat"]\nproperties',
            "workloads[5].servers: 'tomkat' is not declared; allowed: tomcat, jetty, ",
        ),
    ],
)
def test_what_a_single_row_cannot_know(old: str, new: str, said: str) -> None:
    [line] = mistakes(changed(old, new))
    assert said in line


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("schema = 1", "schema = 2", "schema: allowed: 1; found 2"),
        ("schema = 1", "", "schema: this key is missing"),
        ('id = "boot4"', 'id = "Boot 4"', "boots[0].id: allowed: lower-case letters and digits"),
        ('id = "boot4"', "id = 4", "boots[0].id: allowed: a text in quotes; found 4"),
        ('[[boots]]\nid = "boot4"\n\n[[boots]]', "[boots]", "boots: allowed: rows, each under a"),
        ("at_once = 200", "at_once = 0", "caps[0].at_once: allowed: a whole number from 1 on, or"),
        ("at_once = 200", 'at_once = "many"', "caps[0].at_once: allowed: a whole number from 1"),
        ("{ per_cpu = 8,", "{ per_cpu = 0,", "caps[3].at_once.per_cpu: allowed: 1 or more; fou"),
        ("per_cpu = 8, ", "", "caps[3].at_once.per_cpu: this key is missing"),
        (
            '\nboots = "newest"',
            '\nboots = "newst"',
            'boots: allowed: "newest", "all", or a list of',
        ),
        (
            '\nboots = "newest"',
            "\nboots = 3",
            'boots: allowed: "newest", "all", or a list of boots',
        ),
        (
            '\nboots = "newest"',
            "\nboots = []",
            'boots: allowed: "newest", "all", or a list of boots',
        ),
        (
            '\nboots = "newest"',
            '\nboots = ["B"]',
            "boots[0]: allowed: lower-case letters and digits",
        ),
        ("connections = [16]", "connections = 16", "connections: allowed: a list, like [ ... ]"),
        ("connections = [16]", "connections = []", "connections: must not be empty"),
        ("connections = [16]", "connections = [0]", "connections[0]: allowed: 1 or more; found 0"),
        ("connections = [16]", 'connections = ["16"]', "connections[0]: allowed: a whole number"),
        ("connections = [16]", "connections = [1.5]", "connections[0]: allowed: a whole number"),
        ("connections = [16]", "connections = [true]", "connections[0]: allowed: a whole number"),
        ("connections = [16]", "connections = [70000]", "allowed: 60000 or less; found 70000"),
        ("window_s = 2", "window_s = 0", "window_s: allowed: more than 0; found 0"),
        ("window_s = 2", "window_s = nan", "window_s: allowed: 3600 or less; found nan"),
        ("window_s = 2", 'window_s = "2"', "window_s: allowed: a number; found '2'"),
        ('route = "/hello"', 'route = "hello"', "allowed: a path that begins with / and has no b"),
        (
            'needs = ["upstream"]',
            'needs = ["db"]',
            "needs[0]: allowed: 'upstream' or 'database'; found 'db'",
        ),
        ('= "true" }', "= true }", "enabled: allowed: a text in quotes; found True"),
        ('properties = { "spring', 'properties = 3 # { "spring', "properties: allowed: a table"),
        ('question = "What does the server itself cost?"\n', "", "question: this key is missing"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_allowed(old: str, new: str, said: str) -> None:
    [line] = mistakes(changed(old, new))
    assert said in line


def test_each_mistake_has_a_line_of_its_own() -> None:
    text = changed("connections = [16]", "connections = [16, 0]").replace(
        "window_s = 2\n", "windw=2\n"
    )
    lines = mistakes(text)
    assert len(lines) == 2
    assert f"m.toml:{line_with(text, '[16, 0]')}: profiles[0].loads[0].connections[1]:" in lines[0]
    assert f"m.toml:{line_with(text, 'windw')}: profiles[0].loads[0].windw: unknown" in lines[1]


def test_broken_toml_is_answered_with_its_line() -> None:
    [line] = mistakes(changed('id = "boot4"', 'id = "boot4'))
    assert line.startswith(f"m.toml:{line_with(TEXT, 'boot4')}: not valid TOML: ")
    [line] = mistakes(TEXT + '\nlast = """never ends')
    assert line.startswith(f"m.toml:{len(LINES) + 2}: not valid TOML: ")


@given(st.text())
def test_no_text_ends_in_anything_but_a_configuration_error(text: str) -> None:
    with pytest.raises(ConfigurationError):
        parse_matrix(text, "m.toml")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for file, said in [
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "directory"),
        (tmp_path / "binary.toml", "not UTF-8"),
    ]:
        (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(ConfigurationError, match=f"{file}: cannot be read: .*{said}"):
            load_matrix(file)


def test_nothing_of_the_matrix_changes_after_it_was_read(matrix: Matrix) -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(matrix.boots[0], "id", "boot5")  # noqa: B010  # mypy would see it


def test_a_cap_that_grows_with_cpus(matrix: Matrix) -> None:
    cap = Cap(
        server="undertow",
        model="platform",
        at_once=PerCpu(per_cpu=8, min_cpus=2),
        property="p",
        reason="r",
    )
    assert [cap.requests_at_once(cpus) for cpus in (1, 2, 3)] == [16, 16, 24]
    assert cap.model_copy(update={"at_once": 200}).requests_at_once(64) == 200


def test_a_model_sets_properties_for_all_servers_and_for_one(matrix: Matrix) -> None:
    virtual = next(model for model in matrix.models if model.id == "virtual")
    own = virtual.model_copy(update={"server_properties": {"jetty": {"a": "b"}}})
    assert own.properties_for("tomcat", 64) == {"spring.threads.virtual.enabled": "true"}
    assert own.properties_for("jetty", 64) == {
        "spring.threads.virtual.enabled": "true",
        "a": "b",
    }


def test_a_database_workload_needs_the_table() -> None:
    begin, end = TEXT.index("[database]"), TEXT.index("# --- Workloads")
    lines = mistakes(TEXT[:begin] + TEXT[end:])
    assert len(lines) == 3
    assert all("'database' asks for a table [database], which is not there" in ln for ln in lines)
