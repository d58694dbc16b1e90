import csv
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pyarrow import parquet

from core.csv_text import neutralised
from core.errors import BadSetting
from core.studies.results.export import ANSWERS, COLUMNS, MEANINGS
from core.studies.results.export import write_ratings as write_records
from tests.core.studies.frames import DEFAULTS

NOON = datetime(2026, 11, 1, 12, 0, 0, 123_456)


def record(**changes) -> tuple:
    values = DEFAULTS | {"started_at": NOON, "submitted_at": NOON, "duration_ms": 1500, "regions_shown": True}
    values |= {"human": 0.25, "score": 0.1 + 0.2, "rater": "K7", "rating": 4} | changes
    return tuple(values[name] for name in COLUMNS)


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def test_every_text_column_is_neutralised_in_csv(tmp_path: Path) -> None:
    assert all(neutralised(f"{start}1+1") == f"'{start}1+1" for start in "=+-@\t\r\n＝＋－＠")
    texts = [name for name in COLUMNS if isinstance(DEFAULTS[name], str)]
    write_records([record(**dict.fromkeys(texts, "=1+1"))], tmp_path / "r.csv")
    (row,) = read_csv(tmp_path / "r.csv")
    assert {row[name] for name in texts} == {"'=1+1"}
    assert "caption" in texts and "note" in texts and "metric" in texts


def test_a_csv_row_reads_as_it_was_meant(tmp_path: Path) -> None:
    assert write_records([record(score=-0.5), record(item=2, human=None, image_shown_at=NOON)], tmp_path / "r.csv") == 2
    assert (tmp_path / "r.csv").read_bytes().startswith(b"\xef\xbb\xbfstudy,")
    first, second = read_csv(tmp_path / "r.csv")
    assert tuple(first) == COLUMNS
    assert (first["score"], first["human"], first["changed_after_image"]) == ("-0.5", "0.25", "false")
    assert first["regions_shown"] == "true"
    assert first["started_at"] == "2026-11-01T12:00:00.123Z"
    assert (first["image_shown_at"], second["image_shown_at"]) == ("", "2026-11-01T12:00:00.123Z")
    assert (second["item"], second["human"]) == ("2", "")


def test_jsonl_keeps_every_value_and_its_type(tmp_path: Path) -> None:
    hostile = "=1+1\r\n\u2028 ☃ '"
    write_records([record(caption=hostile, human=None)], tmp_path / "r.jsonl")
    (line,) = (tmp_path / "r.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    row = json.loads(line)
    assert tuple(row) == COLUMNS
    assert row["caption"] == hostile
    assert row["score"] == 0.1 + 0.2
    assert (row["rating"], row["human"], row["changed_after_image"], row["regions_shown"]) == (4, None, False, True)
    assert row["submitted_at"] == "2026-11-01T12:00:00.123Z"


def test_parquet_has_a_type_for_every_column(tmp_path: Path) -> None:
    write_records([record(human=None, caption="=1")], tmp_path / "r.parquet")
    table = parquet.read_table(tmp_path / "r.parquet")
    types = {name: str(table.schema.field(name).type) for name in COLUMNS}
    assert types["item"] == types["rating"] == types["duration_ms"] == "int64"
    assert types["score"] == types["human"] == "double"
    assert types["caption"] == "string"
    assert types["changed_after_image"] == types["regions_shown"] == "bool"
    assert types["submitted_at"] == types["image_shown_at"] == "timestamp[ms, tz=UTC]"
    (row,) = table.to_pylist()
    assert (row["caption"], row["human"], row["score"]) == ("=1", None, 0.1 + 0.2)
    assert row["submitted_at"] == NOON.replace(microsecond=123_000, tzinfo=UTC)


@pytest.mark.parametrize("name", ["r.csv", "r.parquet"])
def test_a_failed_export_leaves_the_old_file_and_no_half_one(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("old")

    def records():
        yield record()
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_records(records(), tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "old"


def test_another_ending_or_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"\.csv, \.jsonl, \.parquet"):
        write_records([record()], tmp_path / "r.csv.zip")
    for name in ("nowhere/r.csv", "nowhere/r.parquet"):
        with pytest.raises(BadSetting, match=r"Cannot write .*: No such file or directory\. Choose another file\."):
            write_records([record()], tmp_path / name)


def test_every_column_is_described_in_the_docs_and_in_parquet(tmp_path: Path) -> None:
    assert tuple(MEANINGS) == COLUMNS
    lines = [f"| `{name}` | {told.type} | {told.range} | {told.text} |" for name, told in MEANINGS.items()]
    docs = (Path(__file__).parents[3] / "docs" / "reference" / "export-columns.md").read_text()
    assert "\n".join(lines) in docs, "docs/reference/export-columns.md and core/studies/results/export.py differ"
    own = [f"| `{name}` | {told.type} | {told.range} | {told.text} |" for name, told in ANSWERS.items()]
    assert "\n".join(own) in docs
    write_records([record()], tmp_path / "r.parquet")
    schema = parquet.read_schema(tmp_path / "r.parquet")
    assert schema.field("duration_ms").metadata[b"unit or range"] == b"ms"
    assert all(schema.field(name).metadata[b"meaning"].decode() == told.text for name, told in MEANINGS.items())
