"""The ssh command line, and what its failures mean."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from springbench.errors import ConfigurationError
from springbench.host.remote.connection import checked_destination, ssh_command, why_it_failed


@pytest.mark.parametrize(
    "text", ["load", "bench@load", "bench@10.0.0.7", "root@fe80::1%eth0", "me@load.example.org"]
)
def test_a_destination_stays_as_it_is(text: str) -> None:
    assert checked_destination(text) == text


@pytest.mark.parametrize(
    "text", ["", "-oProxyCommand=x", "me@-x", "a b", "me@host;id", "@host", "$(x)"]
)
def test_nothing_else_reaches_ssh(text: str) -> None:
    with pytest.raises(ConfigurationError, match="give HOST, USER@HOST or a Host of"):
        checked_destination(text)


@given(st.text(max_size=30))
def test_a_destination_is_never_an_option_nor_two_words(text: str) -> None:
    try:
        found = checked_destination(text)
    except ConfigurationError:
        return
    assert not found.startswith("-") and "@-" not in found
    assert shlex.split(found) == [found]


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=4))
def test_the_other_shell_sees_the_words_that_were_meant(words: list[str]) -> None:
    *options, end, destination, remote = ssh_command("me@load", words)
    assert (options[0], end, destination) == ("ssh", "--", "me@load")
    assert "BatchMode=yes" in options
    assert shlex.split(remote) == words


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        (
            "@@@@@@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\n@@@\nIT IS POSSIBLE\n"
            "Host key verification failed.",
            "its host key is another than the one in known_hosts; find out why before you trust "
            "it, then `ssh-keygen -R load`",
        ),
        (
            "No ED25519 host key is known for load and you have requested strict checking.\n"
            "Host key verification failed.",
            "its host key is not known here; `ssh me@load true` once",
        ),
        (
            "me@load: Permission denied (publickey,password).",
            "ssh asks for a password, and nobody is there to type it; `ssh-copy-id me@load`",
        ),
        ("ssh: Could not resolve hostname load: Name or service not known", "no such host"),
        ("ssh: connect to host load port 22: Connection refused", "nothing listens for ssh there"),
        ("ssh: connect to host load port 22: Connection timed out", "it does not answer"),
        ("Timeout, server load not responding.", "it does not answer"),
        ("Banner\nsomething new\n", "ssh ended: something new; try `ssh me@load true`"),
        ("", "ssh ended (code 255); try `ssh me@load true`"),
    ],
)
def test_a_failure_is_one_line_that_says_what_to_do(stderr: str, message: str) -> None:
    line = why_it_failed("me@load", 255, stderr)
    assert line.startswith("me@load: ")
    assert message in line
    assert "\n" not in line
