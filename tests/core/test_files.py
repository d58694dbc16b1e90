"""Files that appear whole or not at all."""

from pathlib import Path

import pytest

from core.files import written_whole


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
