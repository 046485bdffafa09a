"""What a measured process gets of the environment of whoever measures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from springbench.host.environment import digest, measured_environment, passed, withheld

CALLER = {
    "PATH": "/usr/bin",
    "HOME": "/home/me",
    "LANG": "de_DE.UTF-8",
    "LANGUAGE": "de",
    "LC_ALL": "de_DE.UTF-8",
    "LC_NUMERIC": "de_DE.UTF-8",
    "TZ": "Europe/Berlin",
    "JAVA_TOOL_OPTIONS": "-Xint",
    "_JAVA_OPTIONS": "-Xmx64m",
    "JDK_JAVA_OPTIONS": "-Xint",
    "CLASSPATH": "/elsewhere",
    "SPRING_PROFILES_ACTIVE": "debug",
    "SERVER_TOMCAT_THREADS_MAX": "1",
    "NODE_OPTIONS": "--jitless",
    "GOMAXPROCS": "1",
    "LD_PRELOAD": "/usr/lib/libjemalloc.so",
    "GLIBC_TUNABLES": "glibc.malloc.arena_max=1",
    "SOMETHING_NEW": "nobody has heard of it",
}


def test_it_has_what_is_defined_and_nothing_that_configures() -> None:
    assert measured_environment(caller=CALLER) == {
        "PATH": "/usr/bin",
        "HOME": "/home/me",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def test_what_is_declared_stands_above_all() -> None:
    variables = {"JAVA_TOOL_OPTIONS": "-Xss2m", "TZ": "Asia/Tokyo"}
    assert variables.items() <= measured_environment(variables, caller=CALLER).items()


def test_the_jdk_is_that_of_scripts_and_of_the_path() -> None:
    variables = measured_environment(java_home=Path("/jdk-21"), caller={"JAVA_HOME": "/jdk-25"})
    assert variables["JAVA_HOME"] == "/jdk-21"
    assert variables["PATH"] == f"/jdk-21/bin{os.pathsep}{os.defpath}"


def test_a_variable_that_is_passed_is_that_of_the_caller_if_it_is_set() -> None:
    assert passed(["TZ", "UNSET"], CALLER) == {"TZ": "Europe/Berlin"}


def test_a_digest_tells_values_apart_and_holds_none() -> None:
    one, other = digest({"DB_URL": "jdbc:one"}), digest({"DB_URL": "jdbc:other"})
    assert one != other
    assert one == digest({"DB_URL": "jdbc:one"})
    assert digest({"DATABASE_URL": "jdbc:one"}) != one
    assert len(one) == 8


@pytest.mark.parametrize("declared", [[], ["SPRING_PROFILES_ACTIVE"]])
def test_what_people_expect_to_have_an_effect_is_named(declared: list[str]) -> None:
    found = withheld(declared, CALLER)
    assert {"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "LD_PRELOAD"} <= set(found)
    assert {"PATH", "LANG", "SOMETHING_NEW"}.isdisjoint(found)
    assert ("SPRING_PROFILES_ACTIVE" in found) is not bool(declared)
