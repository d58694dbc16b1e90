"""A new format is one reader and one line: with them, the commands list it and import its files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.datasets.base import Format, Record, Source
from core.errors import BadRow
from tests.command_line import Run
from tests.making import picture


def read_pipes(source: Source) -> Iterator[Record]:
    """Yield a record for each line PICTURE|CAPTION|JUDGEMENT FROM 0 TO 1."""
    for number, line in enumerate(source.path.read_text().splitlines(), 1):
        name, caption, human = line.split("|")
        try:
            yield Record(source.path, number, name, caption, human=float(human))
        except ValueError:
            source.on_bad(BadRow(source.path, number, "human", "a number from 0 to 1", human))


def test_a_new_format_is_one_value(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ui.commands import data  # has the list of formats

    pipes = Format("pipes", "Pictures, captions and judgements between pipes", read_pipes, (".pipes",))
    for place in ("core.datasets.FORMATS", "ui.commands.data.FORMATS"):
        monkeypatch.setattr(place, (*data.FORMATS, pipes))
    picture(tmp_path / "images" / "dog.png")
    (tmp_path / "mine.pipes").write_text("dog.png|A dog.|0.9\ncat.png|A cat.|high\n")
    assert pipes.summary in run("formats").out
    asked = ("import", "pipes", tmp_path / "mine.pipes", "--images", tmp_path / "images")
    assert "mine.pipes, row 2, field human: expected a number from 0 to 1, found 'high'" in run(*asked).err
    taken = run(*asked, "--skip-bad", "--json").json
    assert (taken["dataset"], taken["samples_added"], taken["images_found"]) == ("mine", 1, 1)
    assert run("share", "mine", "--to", tmp_path / "out", "--as", "jsonl").code == 0
    assert '"human": 0.9' in (tmp_path / "out" / "samples.jsonl").read_text()
