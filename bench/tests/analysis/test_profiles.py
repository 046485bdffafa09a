"""Where the samples of a profile lie, and the words for methods that changed."""

from __future__ import annotations

import pytest

from springbench.analysis.profiles import MethodChange, Profile, heaviest, short_name, words
from springbench.results.stacks import Stack, parse, without_compilers

RUN = "java/lang/Thread.run"
HELLO = "dev/app/Routes.hello"
WRITE = "org/server/Output.write"
BURN = "dev/app/Injected.burn"
COLLECT = ("start_thread", "DefNewGeneration::collect")
BASE: list[Stack] = [
    ((RUN, WRITE), 600),
    ((RUN, HELLO, "java/lang/String.concat"), 300),
    (COLLECT, 100),
]


def test_lines_become_stacks() -> None:
    text = "a/B.c_[0];d/E.f_[j] 7\n[unknown frame] 3\n\nnothing\na b c 9\nx 0\n"
    assert parse(text) == [(("a/B.c", "d/E.f"), 7), (("[unknown frame]",), 3), (("a b c",), 9)]


def test_a_stack_that_was_compiled_in_two_ways_is_one() -> None:
    assert parse("a/B.c_[0] 2\na/B.c_[j] 3\n") == [(("a/B.c",), 5)]


def test_the_line_of_the_report() -> None:
    line = words([MethodChange(BURN, 0.0, 0.25)], "CPU time")
    assert (
        line == "grew most, in per cent of a request's CPU time before: Injected.burn (0.0 to 25.0)"
    )
    assert words([], "CPU time").startswith("no method stands out in CPU time")


def test_compilers_are_no_cost_of_a_request() -> None:
    compiling = ("start_thread", "CompileBroker::compiler_thread_loop", "Compilation::compile")
    assert without_compilers([*BASE, (compiling, 900)]) == BASE


def test_the_heaviest_are_those_on_top() -> None:
    assert heaviest(Profile(BASE), most=2) == [(WRITE, 0.6), ("java/lang/String.concat", 0.3)]


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (BURN, "Injected.burn"),
        ("DefNewGeneration::collect", "DefNewGeneration::collect"),
        ("x", "x"),
    ],
)
def test_a_frame_is_said_short(frame: str, name: str) -> None:
    assert short_name(frame) == name


def test_functions_of_a_program_that_is_no_jvm_are_all_named() -> None:
    stacks = parse("net/http.(*conn).serve;main.order;main.price 9\nnet/http.(*conn).serve 1\n")
    assert heaviest(Profile(stacks, of_jvm=False), 1) == [("main.price", 0.9)]
    # as of a JVM it would be a native function below Java's
    assert heaviest(Profile(stacks), 1) == [("net/http.(*conn).serve", 1.0)]
