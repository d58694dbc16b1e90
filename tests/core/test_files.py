"""Files that appear whole or not at all."""

from pathlib import Path

import pytest

from core.files import remove_with_leftovers, written_whole


@pytest.mark.parametrize("durable", [False, True])
def test_a_file_takes_its_name_only_when_it_is_whole(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "file.txt"
    with written_whole(path, durable) as unfinished:
        unfinished.write_text("whole")
        assert not path.exists()
    assert path.read_text() == "whole" and list(path.parent.iterdir()) == [path]


def test_an_error_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), written_whole(path) as unfinished:
        unfinished.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_goes_with_the_file(tmp_path: Path) -> None:
    path, other = tmp_path / "file.txt", tmp_path / "other.txt"
    for name in (path, other, tmp_path / ".file.txt.1.2.part"):
        name.write_text("x")
    remove_with_leftovers(path)
    assert list(tmp_path.iterdir()) == [other]
