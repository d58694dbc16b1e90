"""Columns that only the researcher's own table has, such as "split", are kept on request."""

import json
from pathlib import Path

import pytest

from core.datasets import Record, format_named, raise_bad
from core.datasets.base import Layout
from core.datasets.own_form import LONGEST_OWN, row_of
from core.errors import BadFile, BadRow, BadSetting
from core.types import ImageRef, Sample

TABLE = 'image,caption,split,topic\na.jpg,A dog.,test,pets\nb.jpg,A cat.,,"two\nlines"\n'


def read(path: Path, *keep: str) -> list[Record]:
    notes: list[str] = []
    fmt = format_named("csv" if path.suffix == ".csv" else "jsonl")
    return list(fmt.read(path, raise_bad, on_note=notes.append, layout=Layout(keep=keep)))


def table(folder: Path, text: str = TABLE) -> Path:
    path = folder / "mine.csv"
    path.write_text(text)
    return path


def test_kept_columns_are_stored_with_each_row_and_empty_cells_are_not(tmp_path: Path) -> None:
    records = read(table(tmp_path), "split", "topic")
    assert [record.own for record in records] == [(("split", "test"), ("topic", "pets")), (("topic", "two lines"),)]
    assert [record.own for record in read(table(tmp_path))] == [(), ()]


def test_a_note_names_the_option_that_keeps_a_column(tmp_path: Path) -> None:
    notes: list[str] = []
    list(format_named("csv").read(table(tmp_path), raise_bad, on_note=notes.append, layout=Layout(keep=("topic",))))
    assert notes == ["mine.csv: columns that were not read: split. To keep a column for slices, add --keep COLUMN."]


def test_json_lines_have_own_values_as_an_object_and_keep_fields_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    row = {"image": "a.jpg", "caption": "A dog.", "own": {"split": "test"}, "fold": 3}
    path.write_text(json.dumps(row))
    (record,) = read(path, "fold")
    assert record.own == (("split", "test"), ("fold", "3"))
    written = row_of(Sample("a", ImageRef("a.jpg"), "A dog.", own=record.own), None, (), None)
    assert written["own"] == {"split": "test", "fold": "3"}


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        ({"split": 1}, "text"),
        ({"split": "x" * (LONGEST_OWN + 1)}, "1 to 200"),
        ({"split": "two\nlines"}, "printable"),
        ({str(n): "x" for n in range(21)}, "at most 20"),
        (["split"], "an object of texts"),
    ],
)
def test_own_values_that_cannot_be_stored_are_refused(tmp_path: Path, own: object, expected: str) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(json.dumps({"image": "a.jpg", "caption": "A dog.", "own": own}))
    with pytest.raises(BadRow, match=expected):
        read(path)


def test_a_missing_column_and_a_format_without_own_columns_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no column 'fold' to keep"):
        read(table(tmp_path), "fold")
    with pytest.raises(BadSetting, match="--keep"):
        format_named("flickr8k-cf").read(table(tmp_path), raise_bad, layout=Layout(keep=("split",)))
