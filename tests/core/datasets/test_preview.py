"""What is guessed of a file before it is imported, and files as spreadsheets save them."""

import json
from pathlib import Path

import pytest

from core.datasets import format_named
from core.datasets.base import Layout, Source
from core.datasets.guessed_columns import first_records, guessed_format, guessed_layout, table_head
from core.errors import BadFile
from core.types import Score

GERMAN = "Datei;text;score;human\r\na.jpg;Ein Hund, klein.;0,25;4\r\nb.jpg;Eine Kätzin.;0,5;2\r\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_a_german_table_is_read_in_every_encoding_that_a_spreadsheet_saves(tmp_path: Path, encoding: str) -> None:
    mark = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}.get(encoding, "")
    path = tmp_path / "Umfrage.csv"
    path.write_bytes((mark + GERMAN).encode(encoding))
    layout = Layout({"image": "Datei", "caption": "text"}, (1.0, 5.0), metric="BLEURT")
    first, second = format_named("csv").read(Source(path, layout=layout))
    assert (first.image, first.candidate, first.human) == ("a.jpg", "Ein Hund, klein.", 0.75)
    (score,) = second.scores
    assert isinstance(score, Score) and (second.candidate, score.value) == ("Eine Kätzin.", 0.5)


def test_half_of_a_character_in_utf_16_is_a_users_error(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("image,caption\na.jpg,A dog.\n".encode("utf-16") + b"\x00")
    with pytest.raises(BadFile, match="begins as UTF-16, but .* save the file as UTF-8"):
        list(format_named("csv").read(Source(path)))


@pytest.mark.parametrize("column", ["CIDEr", "cider", "rouge_l", "METEOR", "clip score"])
def test_a_column_with_a_known_metrics_name_is_guessed_to_be_its_scores(tmp_path: Path, column: str) -> None:
    path, fmt = tmp_path / "mine.csv", format_named("csv")
    path.write_text(f"image,caption,{column},split,Rationale,Model\na.jpg,A dog.,0.5,val,It is a cat.,vinvl\n")
    known = ("CIDEr", "ROUGE-L", "METEOR", "CLIPScore")
    columns = ["image", "caption", column, "split", "Rationale", "Model"]
    guessed = guessed_layout(fmt, path, columns, known).columns
    assert (guessed["score"], guessed["explanation"], guessed["system"]) == (column, "Rationale", "Model")
    unscored = guessed_layout(fmt, path, ["image", "caption", "Rationale", "Model"], known).columns
    assert "score" not in unscored and "explanation" not in unscored, "an explanation explains a score"


def test_columns_and_scales_of_a_newcomers_table_are_guessed(tmp_path: Path) -> None:
    path = tmp_path / "Umfrage.tsv"
    path.write_text("Filename\tText\tMetric_score\tmos\nnot read\na.jpg\tA dog.\t71\t4\nb.jpg\tA cat.\t12\t2\n")
    fmt = guessed_format(path)
    assert fmt is not None and fmt.name == "csv"
    head = table_head(fmt, path)
    assert head is not None and head[0] == ("Filename", "Text", "Metric_score", "mos")
    assert head[1][0] == ("a.jpg", "A dog.", "71", "4")
    layout = guessed_layout(fmt, path, head[0])
    named = {"image": "Filename", "caption": "Text", "score": "Metric_score", "human": "mos"}
    assert layout == Layout(named, (1.0, 5.0), (0.0, 100.0))


def test_a_table_that_a_spreadsheet_saved_as_text_is_taken_for_one(tmp_path: Path) -> None:
    path = tmp_path / "Excel Unicode.txt"
    path.write_bytes("Bild\tcaption\na.jpg\tEin Hund.\n".encode("utf-16"))
    fmt = guessed_format(path)
    assert fmt is not None and fmt.name == "csv"


def test_only_five_rows_are_shown_and_long_cells_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("image,caption\n" + f"a.jpg,{'x' * 300}\n" * 9)
    head = table_head(format_named("csv"), path)
    assert head is not None and len(head[1]) == 5
    assert head[1][0][1] == "x" * 199 + "…"
    assert len(first_records(format_named("csv"), path)[0]) == 5


def test_a_preview_has_one_problem_for_rows_with_the_same_error_and_reads_on_to_the_good_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("image,caption,human\n" + "a.jpg,A dog.,many\n" * 300 + "b.jpg,,0.5\n" * 2 + "c.jpg,A cow.,0.5\n")
    records, problems = first_records(format_named("csv"), path)
    assert [one.image for one in records] == ["c.jpg"]
    assert problems == [
        "a.csv, 300 rows (2, 3, 4, 5, 6 and 295 more), field human: expected a number from 0 to 1, found 'many'",
        "a.csv, 2 rows (302 and 303), field caption: expected text that is not blank, found nothing",
    ]
    path.write_text("image,caption\n" + "a.jpg,\n" * 5_000)
    assert first_records(format_named("csv"), path)[1][-1] == "Further rows were not read for this preview."


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", {"image": "a.jpg", "caption": "A dog."}, "jsonl"),
        ("a.jsonl", {"file_name": "a.jpg", "text": "A dog."}, "huggingface"),
        ("a.jsonl", {"photo": "a.jpg", "words": "A dog."}, "jsonl"),
        ("nebula_test.json", [{"imgid": "a", "mt": "A dog.", "refs": ["x"], "score": 0.5}], "nebula"),
        ("a.json", {"nothing": "known"}, None),
        ("a.xlsx", {}, None),
    ],
)
def test_a_files_format_is_guessed_by_what_reads_its_first_rows(
    tmp_path: Path, name: str, content: object, expected: str | None
) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(content))
    fmt = guessed_format(path)
    assert (fmt.name if fmt else None) == expected


def test_a_scale_that_is_not_usual_is_guessed_from_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("image,caption,human\na.jpg,A dog.,9\nb.jpg,A cat.,-4\nc.jpg,A cow.,5\n")
    assert guessed_layout(format_named("csv"), path, ("image", "caption", "human")).human_scale == (-4.0, 9.0)
