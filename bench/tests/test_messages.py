"""Messages: one line each, where a command says, and nothing that a terminal would obey."""

from __future__ import annotations

import logging

import pytest

from springbench.messages import indented, show_messages

logger = logging.getLogger("springbench.history.push")


def test_a_message_is_one_clean_line_on_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_messages()
    logger.info("left out: a\n::error::b\x1b[2J, 100 %s")
    assert capsys.readouterr() == ("", "left out: a ::error::b [2J, 100 %s\n")


def test_a_command_says_where_messages_go_and_indents_those_of_a_part() -> None:
    before: list[str] = []
    lines: list[str] = []
    show_messages(before.append)
    show_messages(lines.append)
    with indented():
        logger.info("preparing")
    logger.info("unchanged")
    assert lines == ["  preparing", "unchanged"]
    assert before == []


def test_a_closed_pipe_ends_the_command() -> None:
    def closed(_: str) -> None:
        raise BrokenPipeError

    show_messages(closed)
    with pytest.raises(BrokenPipeError):
        logger.info("still there?")
