"""What messages tell people to use exists: options of commands, and keys of their files."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from springbench.analysis.bottleneck import (
    MORE_COMPILING,
    MORE_WARMING_UP,
    SIZED_HEAP,
    Observed,
    classify,
)
from springbench.analysis.warnings import case_warnings
from springbench.cli import app
from springbench.matrix.profiles import Load, Profile
from springbench.matrix.service_rows import SERVICE_ROW_TYPES
from springbench.matrix.workloads import DatabaseTable
from springbench.paths import ROOT
from tests.samples import fork, no_errors

SOURCES = ROOT / "bench" / "springbench"
COMMANDS: Any = typer.main.get_command(app)
# of other programs, which the same message names
FOREIGN = {
    "--help": "every command",
    "--unshallow": "git fetch",
    "--global": "git config",
    "--add": "git config",
    "--user": "docker",
    "--cpuset-cpus": "docker",
    "--ulimit": "docker",
    "--privileged": "docker",
    "--cgroupns": "docker",
    "--summary-export": "k6",
    "--export-json": "hyperfine",
    "--ignore-failure": "hyperfine",
}
# whose messages only one command says
OF_ONE_COMMAND = {"compare": "compare", "bisect": "bisect", "releases": "releases"}
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
KEY = re.compile(r"\b([a-z]+(?:_[a-z]+)+) of (the profile|\[database\])")
KEYS = {
    "the profile": {*Load.model_fields, *Profile.model_fields},
    "[database]": set(DatabaseTable.model_fields),
}


def options_of(command: Any) -> set[str]:
    names = {
        name
        for parameter in command.params
        for name in (*parameter.opts, *parameter.secondary_opts)
    }
    return names.union(*map(options_of, getattr(command, "commands", {}).values()))


def messages(file: Path) -> Iterator[str]:
    """The texts of a module that have several words, but for docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in docstrings:
            continue
        if isinstance(node.value, str) and " " in node.value.strip():
            yield node.value


@functools.cache
def all_messages() -> list[tuple[Path, str]]:
    """Those of each module."""
    return [(file, text) for file in sorted(SOURCES.rglob("*.py")) for text in messages(file)]


def test_every_option_that_a_message_names_exists() -> None:
    options = options_of(COMMANDS) | FOREIGN.keys()
    named = {
        (str(file), option) for file, text in all_messages() for option in OPTION.findall(text)
    }
    assert len(named) > 20
    assert {pair for pair in named if pair[1] not in options} == set()


@pytest.mark.parametrize("package", OF_ONE_COMMAND)
def test_a_command_names_no_option_of_another(package: str) -> None:
    options = options_of(COMMANDS.commands[OF_ONE_COMMAND[package]]) | FOREIGN.keys()
    named = {
        option
        for file, text in all_messages()
        if file.relative_to(SOURCES).parts[0] == package
        for option in OPTION.findall(text)
    }
    assert named <= options


def test_every_key_that_a_message_names_is_one_of_its_file() -> None:
    named = [match.groups() for _, text in all_messages() for match in KEY.finditer(text)]
    assert len(named) > 2
    assert [key for key, file_name in named if key not in KEYS[file_name]] == []


def texts_for_a_service() -> Iterator[str]:
    """All that is said of numbers of a service which something speaks against."""
    yield from (remedy.service for remedy in (MORE_COMPILING, MORE_WARMING_UP, SIZED_HEAP))
    seen_odd: list[tuple[list[str], dict[str, Any]]] = [
        ([], {"error_ratio": 0.5, "errors": no_errors(connect=9, timeout=3)}),
        (["compiling"], {"compiler_cpu_ratio": 0.3}),
        (["loading-classes", "growing-heap"], {}),
        ([], {}),
    ]
    odd = [
        fork(number, 50.0 if number == 3 else 5.0, steady=False, instability=instability, **fields)
        for number, (instability, fields) in enumerate(seen_odd)
    ]
    cautions = list(case_warnings(odd, of_service=True))
    assert len(cautions) > 5
    yield from (f"{caution.message} {caution.remedy}" for caution in cautions)
    seen: dict[str, Any] = {
        "compilers_had": "40 %",
        "error_ratio": 0.5,
        "gc_pause_ratio": 0.5,
        "connections_accepted": 9.0,
        "load_cpu_ratio": 0.99,
        "server_cpu_ratio": 0.1,
    }
    for name, value in seen.items():
        bottleneck = classify(Observed(900.0, 64, 0.0, of_service=True, **{name: value}))
        yield f"{bottleneck.text} {bottleneck.remedy}"


@pytest.mark.parametrize("text", sorted(set(texts_for_a_service())))
def test_a_remedy_for_a_service_is_one_that_it_has(text: str) -> None:
    keys = {key for row in SERVICE_ROW_TYPES.values() for key in row.model_fields}
    assert "profile" not in text
    assert "matrix" not in text
    named = {word for word in re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text) if "." not in word}
    assert named <= keys
    assert set(OPTION.findall(text)) <= options_of(COMMANDS.commands["run"])
