"""Of two profiles the few methods are named that a reader must look at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.analysis.profiles import (
    Profile,
    grown,
    heaviest,
    short_name,
    words,
)
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


def frame_names(
    base: list[Stack], head: list[Stack], answers: tuple[int, int] = (1000, 1000)
) -> list[str]:
    found = grown(Profile(base, answers[0]), Profile(head, answers[1]))
    return [growth.method for growth in found]


def test_lines_become_stacks() -> None:
    text = "a/B.c_[0];d/E.f_[j] 7\n[unknown frame] 3\n\nnothing\na b c 9\nx 0\n"
    assert parse(text) == [(("a/B.c", "d/E.f"), 7), (("[unknown frame]",), 3), (("a b c",), 9)]


def test_a_stack_that_was_compiled_in_two_ways_is_one() -> None:
    assert parse("a/B.c_[0] 2\na/B.c_[j] 3\n") == [(("a/B.c",), 5)]


def test_what_was_put_in_is_named_and_not_who_called_it() -> None:
    head = [*BASE, ((RUN, HELLO, BURN, "java/lang/System.nanoTime"), 5), ((RUN, HELLO, BURN), 120)]
    assert frame_names(BASE, head) == [BURN]


def test_a_caller_that_does_more_itself_is_named() -> None:
    assert frame_names(BASE, [*BASE, ((RUN, WRITE, HELLO), 200)])[0] == HELLO


def test_a_slower_side_answers_less_and_is_put_beside_by_the_answer() -> None:
    """Both were sampled for as long: head shows fewer samples of all that did not change."""
    head = [((RUN, WRITE), 300), ((RUN, HELLO, "java/lang/String.concat"), 150), (COLLECT, 50)]
    head.append(((RUN, HELLO, BURN), 500))
    assert frame_names(BASE, head, (1000, 500)) == [BURN]


def test_several_causes_are_several_lines_the_greatest_first() -> None:
    other = "org/db/Pool.borrow"
    head = [*BASE, ((RUN, other), 150), ((RUN, HELLO, BURN), 400)]
    assert frame_names(BASE, head) == [BURN, other]


def test_a_collector_that_works_more_is_named_by_the_jvms_own_frame() -> None:
    assert frame_names(BASE, [*BASE, (COLLECT, 300)]) == ["DefNewGeneration::collect"]


@given(st.lists(st.integers(1, 400), min_size=3, max_size=3))
def test_the_same_profile_twice_names_nothing(weights: list[int]) -> None:
    stacks = [(frames, weight) for (frames, _), weight in zip(BASE, weights, strict=True)]
    assert frame_names(stacks, stacks) == []


@given(st.floats(0.9, 1.1), st.integers(50, 5000))
def test_samples_that_differ_as_counts_do_name_nothing(share: float, answers: int) -> None:
    """Of a hundred samples ten more or less are noise."""
    base: list[Stack] = [((RUN, WRITE), 100)]
    head: list[Stack] = [((RUN, WRITE), round(100 * share))]
    assert frame_names(base, head, (answers, answers)) == []


def test_no_answers_say_nothing() -> None:
    with pytest.raises(ValueError, match="no answers"):
        frame_names(BASE, BASE, (0, 5))


def test_the_line_of_the_report() -> None:
    head = [*BASE, ((RUN, HELLO, BURN), 250)]
    found = grown(Profile(BASE, 1000), Profile(head, 1000))
    line = words(found, "CPU time")
    assert (
        line == "grew most, in per cent of a request's CPU time before: Injected.burn (0.0 to 25.0)"
    )
    assert words([], "CPU time").startswith("no method stands out in CPU time")


def test_what_grows_is_said_to_grow_where_the_whole_grows_more() -> None:
    """Of head's own whole its share falls."""
    base: list[Stack] = [((RUN, WRITE), 300), ((RUN, HELLO), 700)]
    head: list[Stack] = [((RUN, WRITE), 500), ((RUN, HELLO), 700), ((RUN, BURN), 2800)]
    shares = {growth.method: growth for growth in grown(Profile(base, 1000), Profile(head, 1000))}
    assert (shares[BURN].base_share, shares[BURN].head_share) == (0.0, 2.8)
    assert (shares[WRITE].base_share, shares[WRITE].head_share) == (0.3, 0.5)


def test_compilers_are_no_cost_of_a_request() -> None:
    compiling = ("start_thread", "CompileBroker::compiler_thread_loop", "Compilation::compile")
    assert without_compilers([*BASE, (compiling, 900)]) == BASE


def test_the_heaviest_are_those_on_top() -> None:
    assert heaviest(Profile(BASE, 1), most=2) == [(WRITE, 0.6), ("java/lang/String.concat", 0.3)]


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
    assert heaviest(Profile(stacks, 10, of_jvm=False), 1) == [("main.price", 0.9)]
    # as of a JVM it would be a native function below Java's
    assert heaviest(Profile(stacks, 10), 1) == [("net/http.(*conn).serve", 1.0)]


KIB = 1024


def allocated(samples: list[Stack], sample_bytes: int = 64 * KIB) -> Profile:
    """Stacks that were met so often, weighed by the bytes that each sample stands for."""
    weighed = [(frames, count * sample_bytes) for frames, count in samples]
    return Profile(weighed, 1000, samples=dict(samples))


@given(st.integers(120, 100_000))
def test_what_allocates_more_is_named_however_much_of_all_it_is(samples: int) -> None:
    """The weight of one place is no measure of how far chance moves it."""
    head = [*BASE, ((RUN, HELLO, BURN, "[B"), samples)]
    found = grown(allocated(BASE), allocated(head))
    assert [growth.method for growth in found] == [BURN]


@given(st.integers(80, 140), st.sampled_from([1, 64, 1024]))
def test_bytes_that_differ_as_samples_do_name_nothing(samples: int, sample_kib: int) -> None:
    """Also where a sample is of one large object, beside many of small ones."""
    small = allocated([((RUN, HELLO), 1000)])
    sides = [allocated([((RUN, WRITE), count)], sample_kib * KIB) for count in (100, samples)]
    base, head = (
        Profile([*small.stacks, *side.stacks], 1000, samples={**small.samples, **side.samples})
        for side in sides
    )
    assert grown(base, head) == []
