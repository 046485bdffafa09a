"""What a single row cannot know is answered with the line, the key and what is allowed."""

from __future__ import annotations

import pytest

from springbench.matrix.rows import Matrix
from tests.matrices import HEADERS, LINES, TEXT, changed, mistakes


def test_the_matrix_of_this_repository_is_right(matrix: Matrix) -> None:
    servers = {server.id for server in matrix.servers}
    assert {"tomcat", "jetty", "undertow", "netty"} <= servers
    assert [profile.id for profile in matrix.profiles][:2] == ["smoke", "quick"]


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
    ("old", "new", "message"),
    [
        ('name = "Jetty"', 'name = "Tomcat"', "servers[1].name: duplicate name 'Tomcat'"),
        ('name = "ZGC"', 'name = "native"', "runtimes[5].name: duplicate name 'native'"),
        (
            'models = ["virtual", "reactive"]',
            'models = ["platform"]',
            "profiles[0].loads[0].models: server 'netty' has no model 'platform'; it has: reactive",
        ),
        (
            'server = "jetty"\nmodels = ["virtual", ',
            'server = "jetty"\nmodels = ["reactive", ',
            "caps[2].models: server 'jetty' has no model 'reactive'; it has: platform, ",
        ),
        (
            'server = "jetty"\nmodels = ["virtual", ',
            'server = "jety"\nmodels = ["virtual", ',
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
            "profiles[0].loads[0].workload: 'helo' is not declared; allowed: hello, json, headers",
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
            'server = "jetty"\nmodels = ["virtual", ',
            'server = "jetty"\nmodels = ["platform", ',
            "caps[2]: duplicate cap of server 'jetty', model 'platform'",
        ),
        (
            '[[caches]]\nserver = "tomcat"\nmodels = ["platform-tuned"',
            '[[caches]]\nserver = "tomcat"\nmodels = ["reactive"',
            "caches[0].models: server 'tomcat' has no model 'reactive'; it has: platform, ",
        ),
        (
            '[[caches]]\nserver = "tomcat"\nmodels = ["platform-tuned", ',
            '[[caches]]\nserver = "tomcat"\nmodels = ["virtual", ',
            "caches[0]: duplicate cache of server 'tomcat', model 'virtual'",
        ),
        (
            "warmup_min_s = 1\n",
            "warmup_min_s = 5\n",
            "profiles[0].loads[0].warmup_min_s: must not exceed warmup_max_s (2)",
        ),
        (
            '"{artifact}",',
            '"{artefact}",',
            "runtimes[0].start[6]: {artefact} is no place to fill in; allowed: {java}, {artifact}",
        ),
        (
            '"{hotspot_options}"',
            '"{hotspots}"',
            "runtimes[0].start[2]: {hotspots} is no place to fill in; allowed: {java}, {artifact}",
        ),
        (
            "MaxRAM={memory_limit_bytes}",
            "MaxRAM={memory}",
            "word_lists.hotspot_options[1]: {memory} is no place to fill in; allowed: {java}",
        ),
        (
            "hotspot_options = [",
            "java = []\nhotspot_options = [",
            "word_lists.java: {java} is a place to fill in; name the list otherwise",
        ),
        ('"{artifact}",', '"{artifact",', "runtimes[0].start[6]: "),
        (
            '"{pid}", ',
            '"{hotspot_options}", ',
            "runtimes[1].train_end[1]: {hotspot_options} is no place to fill in; allowed: {jcmd}",
        ),
        (
            '"{pid}", ',
            '"{number}", ',
            "runtimes[1].train_end[1]: {number} is no place to fill in; allowed: {jcmd}, {pid}",
        ),
        (
            '"{maven}",',
            '"{mvn}",',
            "runtimes[3].prepare[0][0]: {mvn} is no place to fill in; allowed: {java}",
        ),
        ('makes = "app.aot"\n', "", "runtimes[1]: prepare and train need makes"),
        (
            'boots = ["boot4"]\nneeds',
            'boots = ["boot9"]\nneeds',
            "runtimes[3].boots: 'boot9' is not declared; allowed: boot4, boot3",
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
            "pool_size = 397",
            "database.pool_size: must leave 4 of max_connections; allowed: at most 396",
        ),
        (
            'ids = "sequence"',
            "ids = 6_000_001",
            "workloads[11].ids: the table has no such row; allowed: 1 to 6000000",
        ),
        (
            'route = "/users/{id}"',
            'route = "/users/5800000"',
            "workloads[11].route: {id} stands in the route exactly where `ids` is given",
        ),
        (
            'route = "/hello"',
            'route = "/hello/{id}"',
            "workloads[0].route: {id} stands in the route exactly where `ids` is given",
        ),
        (
            'servers = ["tomcat", "jetty", "undertow"]\n'
            'runtimes = ["jvm", "jvm-aot", "jvm-g1", "jvm-zgc", "jvm-shenandoah", "jvm-compact"]',
            'servers = ["tomkat"]\nruntimes = ["jvm"]',
            "workloads[11].servers: 'tomkat' is not declared; allowed: tomcat, jetty, ",
        ),
    ],
)
def test_what_a_single_row_cannot_know(old: str, new: str, message: str) -> None:
    [line] = mistakes(changed(old, new))
    assert message in line


def test_a_database_workload_needs_the_table() -> None:
    begin, end = TEXT.index("[database]"), TEXT.index("# --- Workloads")
    lines = mistakes(TEXT[:begin] + TEXT[end:])
    # each of the ways to read a row, and a page
    assert len(lines) == TEXT.count('needs = ["database"]')
    assert all("'database' asks for a table [database], which is not there" in ln for ln in lines)
