"""A wrong row is answered with the file, the line, the key and what is allowed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.matrices import HEADERS, LINES, changed, line_with, mistakes


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
    assert "servers[0].healht: unknown key; allowed here: id, name, boots" in unknown


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("schema = 1", "schema = 2", "schema: allowed: 1; found 2"),
        ("schema = 1", "", "schema: this key is missing"),
        ('id = "boot4"', 'id = "Boot 4"', "boots[0].id: allowed: lower-case letters and digits"),
        ('id = "boot4"', "id = 4", "boots[0].id: allowed: a text in quotes; found 4"),
        ('[[boots]]\nid = "boot4"\n\n[[boots]]', "[boots]", "boots: allowed: rows, each under a"),
        (
            "hotspot_options = [",
            "Hotspot = [",
            "word_lists.Hotspot: allowed: lower-case letters with underscores between them",
        ),
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
            "needs[0]: allowed: 'upstream', 'database' or 'sink'; found 'db'",
        ),
        ('= "true" }', "= true }", "enabled: allowed: a text in quotes; found True"),
        ('properties = { "spring', 'properties = 3 # { "spring', "properties: allowed: a table"),
        ('question = "What does the server itself cost?"\n', "", "question: this key is missing"),
    ],
)
def test_a_wrong_value_is_answered_with_what_is_allowed(old: str, new: str, message: str) -> None:
    [line] = mistakes(changed(old, new))
    assert message in line


def test_each_mistake_has_a_line_of_its_own() -> None:
    text = changed("connections = [16]", "connections = [16, 0]").replace(
        "\nwindow_s = 2\n", "\nwindw=2\n"
    )
    lines = mistakes(text)
    assert len(lines) == 2
    assert f"m.toml:{line_with(text, '[16, 0]')}: profiles[0].loads[0].connections[1]:" in lines[0]
    assert f"m.toml:{line_with(text, 'windw')}: profiles[0].loads[0].windw: unknown" in lines[1]
