"""Stacks out of what `perf script` prints."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from springbench.measure.profile import collapsed
from springbench.results.stacks import parse

TEXT = """\
serve  4582
\t           ff2d4 main.order (/srv/serve)
\t    7fd3812129c0 net/http.(*conn).serve (/srv/serve)
\t    7fd381856240 [unknown] ([unknown])
\t    7fd381856248 [unknown] ([unknown])

serve  4583
\t           ff2d9 main.order (/srv/serve)
\t    7fd3812129c0 net/http.(*conn).serve (/srv/serve)
\t    7fd381856240 [unknown] ([unknown])

serve  4582
\t          1aee39 std::pair<int; long>::first(int, long) (/srv/lib with space.so)
\t          1aee39 [unknown] (/srv/stripped.so.1)

"""


def test_equal_stacks_are_one_and_nameless_frames_are_known_by_their_file() -> None:
    assert collapsed(TEXT) == (
        "[stripped.so.1];std::pair<int, long>::first(int, long) 1\n"
        "[unknown];net/http.(*conn).serve;main.order 2\n"
    )


def test_code_that_was_compiled_while_it_ran_has_one_name_in_all_processes() -> None:
    text = "node 71\n\t 7f [unknown] (/tmp/perf-71.map)\n\t 7f uv_run (/usr/bin/node)\n"
    assert collapsed(text) == "uv_run;[perf.map] 1\n"
    assert collapsed(text.replace("71", "123456")) == collapsed(text)


def test_the_last_sample_counts_without_an_empty_line_behind_it() -> None:
    assert collapsed(TEXT.rstrip("\n")) == collapsed(TEXT)


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    collapsed(text)


FRAMES = st.lists(st.sampled_from(["main.a", "f(int, char)", "[unknown]", "a;b"]), min_size=1)


@given(st.lists(FRAMES))
def test_no_sample_is_lost(samples: list[list[str]]) -> None:
    text = "".join(
        "comm 1 \n" + "".join(f"\t 7f {name} (/bin/x)\n" for name in frames) + "\n"
        for frames in samples
    )
    stacks = parse(collapsed(text))
    assert sum(weight for _, weight in stacks) == len(samples)
    assert sum(weight for frames, weight in stacks if "main.a" in frames) == sum(
        "main.a" in frames for frames in samples
    )
