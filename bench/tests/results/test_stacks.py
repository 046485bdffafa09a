"""Sampled stacks are read from text, and kept as a tree that loses none of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from springbench.results.stacks import SELDOM, Stack, StackTree, java_frames, parse, with_itself

STACKS = st.dictionaries(
    st.lists(st.sampled_from(["a/A.a", "b/B.b", "c/C.c"]), min_size=1, max_size=5).map(tuple),
    st.integers(2, 100),
    max_size=12,
)


@given(STACKS)
def test_a_tree_has_every_stack_that_was_met_twice(stacks: dict[tuple[str, ...], int]) -> None:
    tree = StackTree.of(stacks.items())
    assert dict(tree.stacks()) == stacks
    assert tree.samples == sum(stacks.values())
    assert StackTree.model_validate_json(tree.model_dump_json()) == tree


def test_what_was_met_once_counts_for_its_callers_and_is_not_what_they_do_themselves() -> None:
    stacks: list[Stack] = [
        (("run", "serve", "rare"), 1),
        (("run", "serve", "seldom", "deep"), 1),
        (("run", "serve"), 4),
        (("once",), 1),
    ]
    tree = StackTree.of(stacks)
    assert dict(tree.stacks()) == {("run", "serve"): 4, ("run", "serve", SELDOM): 2, ("once",): 1}
    assert StackTree.model_validate_json(tree.model_dump_json()) == tree


def test_what_a_method_does_itself_follows_it() -> None:
    assert with_itself(("run", "serve")) == ("run", "serve", "serve itself")
    assert with_itself(("run", "serve", SELDOM)) == ("run", "serve")


def test_numbers_that_a_jvm_gives_in_its_order_are_no_names() -> None:
    text = (
        "jdk/proxy2/$Proxy86.find 2\njdk/proxy2/$Proxy91.find 3\na/GeneratedMethodAccessor7.b 1\n"
    )
    assert parse(text) == [(("jdk/proxy2/$Proxy.find",), 5), (("a/GeneratedMethodAccessor.b",), 1)]


@pytest.mark.parametrize(
    ("unpacked", "name"),
    [
        ("libnetty_x86_648432345267314183171.so (deleted)", "libnetty_x86_.so"),
        ("/run/a-vuk3a_wb/libnetty_x86_6484323453.so (deleted)", "libnetty_x86_.so"),
        ("snappy-1.1-0b0c2b63-5f9c-4d3a-9f0e-1c2d3e4f5a6b-libsnappy.so", "snappy-1.1libsnappy.so"),
        ("jna8573894710293.tmp", "jna.tmp"),
        ("libc.so.6", "libc.so.6"),
        ("app/Orders1234567.find", "app/Orders1234567.find"),
    ],
)  # fmt: skip
def test_a_library_that_a_jar_unpacks_has_one_name(unpacked: str, name: str) -> None:
    assert parse(f"{unpacked} 2\n") == [((name,), 2)]


def test_frames_of_java_are_those_that_a_reader_can_find() -> None:
    assert java_frames(("start_thread", "a/B.c", "write")) == ["a/B.c"]
    assert java_frames(("start_thread", "DefNewGeneration::collect")) == [
        "DefNewGeneration::collect"
    ]
    assert java_frames(("main",)) == ("main",)


@pytest.mark.parametrize("met_in", ["a/B.c", "InterpreterRuntime::frequency_counter_overflow"])
def test_a_caller_that_a_profiler_guesses_is_none(met_in: str) -> None:
    for test in ("C1 Runtime slow_subtype_check_blob", "is_instance_of Runtime1 stub"):
        assert java_frames(("a/Thread.run", met_in, test)) == (test,)
    # it has a frame of its own
    assert java_frames(("a/B.c", "C1 Runtime new_instance_blob")) == ["a/B.c"]


@pytest.mark.parametrize(
    "nodes", ["0 0 1", "-2 0 1", "-1 1 1", "-1 0 -1", "-1 0 1\n5 0 1", "-1 0", "-1 0 1 2", "a b c"]
)
def test_a_tree_that_is_none_is_refused(nodes: str) -> None:
    with pytest.raises(ValidationError):
        StackTree.model_validate({"frames": "a", "nodes": nodes})
