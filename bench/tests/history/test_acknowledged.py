"""Acknowledgements as a history keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from springbench.errors import ConfigurationError
from springbench.history.events import read_acknowledged, write_acknowledged
from springbench.history.files import ACKNOWLEDGED, Folder
from springbench.results.acknowledged import Acknowledged
from springbench.results.events import Acknowledgement

ONE = {"regression-5": Acknowledgement(reason="TLS by default", by="team")}
TWO = {**ONE, "improvement-3": Acknowledgement(reason="a cache")}


def test_what_is_written_is_read_and_the_same_again_changes_nothing(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    assert write_acknowledged(files, Acknowledged(TWO))
    first = files.read(ACKNOWLEDGED)
    assert read_acknowledged(files) == TWO
    assert not write_acknowledged(files, Acknowledged(dict(reversed(TWO.items()))))
    assert files.read(ACKNOWLEDGED) == first


def test_the_order_of_rows_does_not_change_the_bytes(tmp_path: Path) -> None:
    texts = []
    for number, rows in enumerate((TWO, dict(reversed(TWO.items())))):
        files = Folder(tmp_path / str(number))
        write_acknowledged(files, Acknowledged(rows))
        texts.append(files.read(ACKNOWLEDGED))
    assert texts[0] == texts[1]


def test_a_row_that_is_gone_is_withdrawn_and_the_last_takes_the_file(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    write_acknowledged(files, Acknowledged(TWO))
    assert write_acknowledged(files, Acknowledged(ONE))
    assert read_acknowledged(files) == ONE
    assert write_acknowledged(files, Acknowledged({}))
    assert files.read(ACKNOWLEDGED) is None
    assert not write_acknowledged(files, Acknowledged({}))


def test_a_file_that_cannot_be_read_withdraws_nothing(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    write_acknowledged(files, Acknowledged(ONE))
    assert not write_acknowledged(files, Acknowledged(None, ["not valid TOML"]))
    assert read_acknowledged(files) == ONE


def test_a_damaged_one_is_said_and_made_anew(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    files.write(ACKNOWLEDGED, '{"schema": 1, "eve')
    with pytest.raises(ConfigurationError, match="makes it anew from the repository's file"):
        read_acknowledged(files)
    assert write_acknowledged(files, Acknowledged(ONE))
    assert read_acknowledged(files) == ONE


def test_one_of_a_newer_schema_is_left(tmp_path: Path) -> None:
    files = Folder(tmp_path)
    files.write(ACKNOWLEDGED, '{"schema": 2, "events": {}}')
    with pytest.raises(ConfigurationError, match="reads schema 1"):
        write_acknowledged(files, Acknowledged(ONE))
    assert files.read(ACKNOWLEDGED) == '{"schema": 2, "events": {}}'


def test_no_file_is_nothing(tmp_path: Path) -> None:
    assert read_acknowledged(Folder(tmp_path)) == {}
