"""A researcher's own tables, as JSON Lines and CSV: fields, errors, round trips, and the documented examples."""

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.datasets import format_named
from core.datasets.base import Layout, Record, Source
from core.datasets.own_form import FIELDS, LONGEST_OWN, line_of
from core.errors import BadFile, BadRow, BadSetting
from core.types import EvaluationError, ImageRef, Sample, Score

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reference" / "file-formats.md"
ROW = {
    "id": "a",
    "image": "pictures/a.jpg",
    "caption": " Two dogs : one runs ",
    "references": ["Dogs.", "A dog ||| another"],
    "human": 0.75,
    "judgements": [4, 3.5],
    "pair": {"key": "HC#1", "position": 1, "preferred": 0, "category": "HC"},
    "scores": [
        {
            "metric": "FLEUR",
            "value": 0.8,
            "components": {"raw": 0.85, "digits": [0.1, 0.9]},
            "rationales": {"overall": "Fits."},
        },
        {"metric": "PAC-S", "value": 1.5, "scale": [0, 2], "signature": "PAC-S|w:2"},
        {"metric": "EXPERT", "error": {"kind": "no_score", "message": "No number."}},
        {"metric": "Polos", "error": {"kind": "Time-out", "message": "Why."}},
    ],
}
SCORE = {"metric": "M", "value": 0.5}
LEAST = {"image": "a.jpg", "caption": "A dog."}


def jsonl(*rows: object) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def csv_text(*rows: dict[str, object]) -> str:
    """Rows as CSV, everything but plain text and numbers as JSON."""
    header = list(dict.fromkeys(name for row in rows for name in row))
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n", quoting=csv.QUOTE_ALL)
    table.writerow(header)
    for row in rows:
        cells = [row.get(name, "") for name in header]
        table.writerow([json.dumps(cell) if isinstance(cell, list | dict) else cell for cell in cells])
    return written.getvalue()


def without_place(records: list[Record]) -> list[Record]:
    return [replace(record, file=Path(), row=0) for record in records]


def test_every_field_of_a_row_is_taken_as_it_stands(write, read) -> None:
    (record,) = read("jsonl", write("a.jsonl", jsonl(ROW)))
    assert (record.key, record.image, record.candidate) == ("a", "pictures/a.jpg", " Two dogs : one runs ")
    assert (record.references, record.human, record.judgements) == (("Dogs.", "A dog ||| another"), 0.75, (4.0, 3.5))
    assert (record.pair.key, record.pair.position, record.pair.preferred, record.pair.category) == ("HC#1", 1, 0, "HC")
    fleur, pacs, expert, polos = record.scores
    assert (fleur.value, fleur.scale, fleur.components) == (0.8, (0.0, 1.0), {"raw": 0.85, "digits": (0.1, 0.9)})
    assert fleur.signature.startswith("FLEUR|source:imported|")
    assert (pacs.value, pacs.scale, pacs.signature) == (1.5, (0.0, 2.0), "PAC-S|w:2")
    assert isinstance(expert, EvaluationError) and isinstance(polos, EvaluationError)
    assert (expert.kind, expert.message) == ("no_score", "No number.")
    assert (polos.kind, polos.message) == ("other", "Time-out: Why.")
    assert record.image_is_relative


def test_image_and_caption_are_enough_and_null_is_absent(write, read) -> None:
    nulls = {**LEAST, **{name: None for name in FIELDS if name not in LEAST}}
    with_extra = {**LEAST, "source": "a paper", "model size": 13}
    records = read("jsonl", write("a.jsonl", "\n" + jsonl(LEAST, nulls) + "\n\n" + jsonl(with_extra)))
    assert [record.row for record in records] == [2, 3, 6]
    assert without_place(records[:1]) == without_place(records[1:2]) == without_place(records[2:])
    assert (records[0].key, records[0].human, records[0].scores) == (None, None, ())


WRONG_SCORES: list[dict[str, Any]] = [
    {"metric": ""},
    {"metric": ...},
    *({"value": value} for value in (..., None, "0.5", True, 1.01, float("nan"))),
    *({"scale": scale} for scale in ([2, 0], [1, 1], [0], [], [0, 1, 2], "0-1")),
    {"value": 3, "scale": [0, 2]},
    {"signature": 3},
    *({"components": {"raw": odd}} for odd in ("0.5", [True], 10**400)),
    {"components": {"": 1}},
    {"components": [1]},
    *({"rationales": odd} for odd in ("text", {"overall": 3}, {"overall": None})),
    *({"usage": odd} for odd in (7, [], {}, {"prompt": 1}, {"completion": 1})),
    *({"usage": {"prompt": odd, "completion": 0}} for odd in ("1", -1, 1.5, True, 10**400, None)),
    *({"seconds": odd} for odd in (1, [], {"": 1.0}, {"model": "1"}, {"model": -1}, {"model": 10**400})),
    {"error": {"kind": "a", "message": "b"}},
    {"value": None, "error": "text"},
    {"value": None, "error": {"kind": "a"}},
]
BAD = [
    *(("id", value) for value in (7, " ")),
    *(("image", value) for value in (None, "", "/etc/a.jpg", "C:\\a.jpg", "x" * 256, "a\0.jpg")),
    *(("caption", value) for value in (None, " \n", 3, "x" * 20_001)),
    *(("system", value) for value in ("x" * 201, "two\nlines\0", "\u202eevil", 5, ["a"])),
    *(("references", value) for value in (["A dog.", ""], [3], [None], ["A dog.", "x" * 20_001])),
    *(("human", value) for value in ("0.5", True, 1.5, float("nan"))),
    *(("judgements", value) for value in (3, [True], [float("inf")])),
    *(("pair", value) for value in ([], {"position": 0}, {"key": "a", "position": 2}, {"key": "a", "position": True})),
    ("pair", {"key": "a", "position": 0, "preferred": "1"}),
    *(
        ("own", value)
        for value in ({"split": 1}, {"split": "x" * (LONGEST_OWN + 1)}, {"split": "two\nlines"}, ["split"])
    ),
    ("own", {str(n): "x" for n in range(21)}),
    *(("scores", value) for value in ({"FLEUR": 0.5}, [0.5], [SCORE, SCORE | {"value": 0.6}])),
    *(
        ("scores", [{name: value for name, value in (SCORE | wrong).items() if value is not ...}])
        for wrong in WRONG_SCORES
    ),
]


def test_a_bad_field_is_named_and_the_other_lines_are_kept(write, skim) -> None:
    good = {"image": "a.jpg", "caption": "A dog.", "id": "1"}
    for field, value in BAD:
        wrong = {"image": "b.jpg", "caption": "B.", field: value}
        records, problems = skim("jsonl", write("a.jsonl", jsonl(good, wrong, {**good, "id": "3"})))
        assert [record.row for record in records] == [1, 3]
        assert [(one.row, one.field.startswith(field)) for one in problems] == [(2, True)], (field, value)


@pytest.mark.parametrize("number", ["1e999", "nan", "inf", "1_0", "0x1", "\u0661", "1 2", "high", "-0.1", "1.01"])
def test_a_number_in_a_cell_is_a_plain_decimal_within_its_scale(number: str, write, read) -> None:
    (record,) = read("csv", write("a.csv", 'image,caption,human\na.jpg,A dog.," 1e-3\t"\n'))
    assert record.human == 0.001
    with pytest.raises(BadRow, match="row 2, field human: expected a number from 0 to 1"):
        read("csv", write("a.csv", f"image,caption,human\na.jpg,A dog.,{number}\n"))


def test_a_line_that_is_no_object_is_a_bad_row(write, skim) -> None:
    good = '{"image": "a.jpg", "caption": "A dog."}\n'
    for line in "{", "text", good.strip() + " {}", "[1]", "3", '"text"', "{'image': 'a'}":
        records, problems = skim("jsonl", write("a.jsonl", good + line + "\n" + good))
        assert len(records) == 2
        assert [(problem.row, problem.field) for problem in problems] == [(2, "row")], line
    _, (problem,) = skim("jsonl", write("a.jsonl", r'{"image": "a.jpg", "caption": "a \ud800 b"}'))
    assert "whole Unicode characters" in problem.expected
    for line in '{"image": "a.png", "image": "b.png"}', '{"scores": [{"metric": "A", "metric": "B"}]}':
        _, (problem,) = skim("jsonl", write("a.jsonl", line))
        assert problem.expected == "each name only once in an object"


def test_score_columns_are_scores(write, read) -> None:
    row = {
        "image": "a.jpg",
        "caption": "A dog.",
        "score:FLEUR": "0.8",
        "component:FLEUR:raw": "0.85",
        "rationale:FLEUR": "Fits, mostly: yes.",
        "score:A:B": "1e-2",
        "rationale:FLEUR:fluency": "Fluent.",
        "scores": [{"metric": "PAC-S", "value": 1.5, "scale": [0, 2]}],
    }
    empty = {"image": "b.jpg", "caption": "B."}
    first, second = read("csv", write("a.csv", csv_text(row, empty)))
    pacs, fleur, odd = first.scores
    assert (pacs.metric, pacs.value) == ("PAC-S", 1.5)
    assert (fleur.metric, fleur.value, fleur.components) == ("FLEUR", 0.8, {"raw": 0.85})
    assert dict(fleur.explanation.rationales) == {"overall": "Fits, mostly: yes.", "fluency": "Fluent."}
    assert (odd.metric, odd.value) == ("A:B", 0.01)
    assert second.scores == ()


CELLS = [
    *(("human", "0,5"), ("caption", ""), ("image", "")),
    *(("references", cell) for cell in ('{"a": 1}', "[1]")),
    *(("judgements", "1;2"), ("pair", "[]"), ("scores", "0.5"), ("scores", '[{"metric": "M"}]')),
    *(("score:M", "high"), ("score:M", ""), ("component:M:raw", "x")),
]


def test_a_bad_cell_is_named_with_the_row_of_the_spreadsheet(write, skim) -> None:
    columns = ["references", "human", "judgements", "pair", "scores"]
    good: dict[str, object] = {"image": "a.jpg", "caption": "A dog.", "score:M": "0.5"}
    good |= {"component:M:raw": "0.4", "rationale:M": "Why.", **dict.fromkeys(columns, "")}
    for column, cell in CELLS:
        records, problems = skim("csv", write("a.csv", csv_text(good, {**good, column: cell}, good)))
        assert [record.row for record in records] == [2, 4]
        assert [(one.row, one.field.startswith(column)) for one in problems] == [(3, True)], (column, cell)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("image;score", "no column 'caption'"),
        ("image,text", "--column caption=text"),
        ("image,caption,caption", "occurs twice"),
    ],
)
def test_a_header_that_cannot_be_meant_is_a_bad_file(header: str, reason: str, write, read) -> None:
    with pytest.raises(BadFile, match=reason):
        read("csv", write("a.csv", f"{header}\na,b,c,d\n"))


def test_a_row_with_too_many_cells_is_bad_and_an_empty_row_is_passed_over(write, skim) -> None:
    records, problems = skim("csv", write("a.csv", "image,caption\na.jpg,A dog, running.\n\n,\nb.jpg,B.\nc.jpg\n"))
    assert [record.row for record in records] == [5]
    assert [(problem.row, problem.field) for problem in problems] == [(2, "row"), (6, "row")]
    assert "expected 2 cells, found 3" in str(problems[0])


def test_broken_csv_and_a_header_alone_are_bad_files(write, read) -> None:
    for text in 'image,caption\n"a.jpg,A dog.\n', 'image,caption\n"a"b,c\n', "image,caption\ra.jpg,A dog.\r":
        with pytest.raises(BadFile, match="the file is not CSV"):
            read("csv", write("a.csv", text))
    with pytest.raises(BadFile, match="no row below the header"):
        read("csv", write("a.csv", "image,caption\n"))


ODD = " \u2028\r\n\"a\"; b|c\t'd', [\x85] \U0001f600 e\u0301 = "


def test_what_is_written_is_read_in_both_forms(write, read) -> None:
    row = ROW | {"id": ODD, "caption": ODD, "references": [ODD, "x"], "own": {"a;b": "c|d"}}
    row["scores"] = [*ROW["scores"], {"metric": "=1", "value": 1e-17, "rationales": {"overall": ODD}}]
    (first,) = read("jsonl", write("a.jsonl", jsonl(row)))
    assert (first.candidate, first.references, first.key) == (ODD, (ODD, "x"), ODD)
    assert without_place(read("csv", write("a.csv", csv_text(row)))) == without_place([first])
    sample = Sample("", ImageRef(first.image), ODD, first.references, first.human, first.judgements, own=first.own)
    written = write("b.jsonl", line_of(sample, first.key, first.scores, first.pair))
    assert without_place(read("jsonl", written)) == without_place([first])


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def test_the_documented_examples_are_read(write, read) -> None:
    (lines,) = examples("jsonl")
    records = read("jsonl", write("doc.jsonl", lines))
    assert [record.key for record in records] == [None, "dogs-1", "dogs-2", "dogs-3"]
    wide, narrow = (read("csv", write("doc.csv", text)) for text in examples("csv"))
    assert [len(record.scores) for record in wide] == [2, 1]
    assert wide[1].candidate == "A cat, or not."
    assert narrow[0].scores[0].scale == (0.0, 2.0)


# -- tables that nobody made for Capscope


def taken(path: Path, layout: Layout | None = None, metric: str | None = None, name: str = "csv") -> list[Record]:
    return list(format_named(name).read(Source(path, layout=replace(layout or Layout(), metric=metric))))


@pytest.mark.parametrize("name", ["csv", "jsonl", "huggingface"])
def test_columns_and_scales_are_named_by_the_caller(write, name: str) -> None:
    row = {"photo": "a.jpg", "words": "A dog.", "caption": "other", "mos": 4, "quality": 71, "image": "no.jpg"}
    path = write("a", csv_text(row) if name == "csv" else jsonl(row))
    columns = {"image": "photo", "caption": "words", "human": "mos", "score": "quality"}
    (record,) = taken(path, Layout(columns, (1.0, 5.0), (0.0, 100.0)), "BLEURT", name)
    (score,) = record.scores
    assert (record.image, record.candidate, record.human) == ("a.jpg", "A dog.", 0.75)
    assert isinstance(score, Score) and (score.metric, score.value, score.scale) == ("BLEURT", 71, (0, 100))


@pytest.mark.parametrize(("column", "metric"), [("CIDEr", "CIDEr"), ("metric_score", "score"), ("Score", "score")])
def test_scores_of_a_named_column_are_those_of_the_metric_with_its_name(write, column: str, metric: str) -> None:
    path = write("mine.csv", f"image,caption,{column},why\na.jpg,A dog.,0.5,It is.\n")
    (record,) = taken(path, Layout({"score": column, "explanation": "why"}))
    (score,) = record.scores
    assert isinstance(score, Score) and (score.metric, score.explanation.rationales) == (metric, {"overall": "It is."})
    (record,) = taken(path, Layout({"score": column}), "Mine")
    assert [one.metric for one in record.scores] == ["Mine"]


@pytest.mark.parametrize("name", ["jsonl", "huggingface"])
@pytest.mark.parametrize("given", ["It is a cat.", {"overall": "It is a cat."}])
def test_fields_score_and_explanation_are_read_as_columns_are(write, name: str, given: object) -> None:
    row = {"image": "a.jpg", "caption": "A dog.", "score": 0.3, "explanation": given}
    (record,) = taken(write("a.jsonl", jsonl(row)), name=name)
    (score,) = record.scores
    assert isinstance(score, Score) and (score.metric, score.value) == ("score", 0.3)
    assert score.explanation.rationales == {"overall": "It is a cat."}
    with pytest.raises(BadRow, match="field score: expected a number from 0 to 1, found 'high'"):
        taken(write("a.jsonl", jsonl(row | {"score": "high"})), name=name)


def test_an_explanation_without_its_score_is_a_bad_row(write) -> None:
    path = write("mine.csv", "image,caption,score,explanation\na.jpg,A dog.,,It is a cat.\n")
    expected = "row 2, field score: expected a score, because the same row has a value in 'explanation'"
    with pytest.raises(BadRow, match=expected):
        taken(path)


def test_columns_that_are_not_read_are_named(write) -> None:
    notes: list[str] = []
    path = write("mine.jsonl", jsonl(LEAST | {"title": "x"}, LEAST | {"ref": "A dog."}))
    assert list(format_named("jsonl").read(Source(path, on_note=notes.append)))
    assert notes == [
        "mine.jsonl: columns that were not read: title, ref. ref may be references (--column references=ref)."
        " To keep a column, choose it (--keep COLUMN)."
    ]
    notes.clear()
    list(format_named("csv").read(Source(write("all.csv", csv_text(ROW)), on_note=notes.append)))
    assert notes == []


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_every_wrong_field_of_a_row_is_told_at_once(write, skim, name: str) -> None:
    rows = [
        {"image": "1.jpg", "caption": "", "score": 1.2, "human": 9},
        {"image": "", "caption": "A.", "score": 0.5, "human": "x"},
        {"image": "2.jpg", "caption": "B.", "score": "abc", "human": 0.3},
        {"image": "3.jpg", "caption": "C.", "score": 0.5, "human": 0.1},
    ]
    _, problems = skim(name, write("bad", csv_text(*rows) if name == "csv" else jsonl(*rows)))
    first = 2 if name == "csv" else 1
    assert sorted((bad.row - first, bad.field) for bad in problems) == [
        *((0, field) for field in ("caption", "human", "score")),
        *((1, field) for field in ("human", "image")),
        (2, "score"),
    ]


# -- who wrote a caption


def test_own_tables_and_results_of_coco_name_their_captioner(write) -> None:
    (line,) = taken(write("own.jsonl", jsonl(LEAST | {"system": "  vinvl   large "})), name="jsonl")
    first, second = taken(write("own.csv", "image,caption,system\na.jpg,A dog.,vinvl\nb.jpg,A cat.,\n"))
    assert (line.system, first.system, second.system) == ("vinvl large", "vinvl", None)
    own = write("own.jsonl", jsonl(LEAST | {"system": "vinvl"}, LEAST))
    assert [one.system for one in taken(own, Layout(system=" Blip  2"), name="jsonl")] == ["vinvl", "Blip 2"]
    results = write("captions_val2014_updown_results.json", [{"image_id": 1, "caption": "A dog."}])
    assert [one.system for one in taken(results, Layout(system="VinVL"), name="coco-results")] == ["VinVL"]
    with pytest.raises(BadSetting, match="1 to 200"):
        taken(own, Layout(system=" "), name="jsonl")
