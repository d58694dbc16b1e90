"""Formats jsonl and csv: every field, every error, round trips, and the examples of docs/reference/file-formats.md."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.datasets import Record, format_named, raise_bad
from core.datasets.own_form import FIELDS
from core.datasets.rows import parse_number
from core.errors import BadFile, BadRow
from core.signature import signature
from core.types import EvaluationError, Score

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
    ],
}
SCORE = {"metric": "M", "value": 0.5}


def as_row(record: Record) -> dict[str, object]:
    """The JSONL object of a record, written independently of the reader."""
    return {
        "id": record.key,
        "image": record.image,
        "caption": record.candidate,
        "references": list(record.references),
        "human": record.human,
        "judgements": list(record.judgements),
        "scores": [as_score(score) for score in record.scores],
    }


def as_score(score: Score | EvaluationError) -> dict[str, object]:
    if isinstance(score, EvaluationError):
        error = {"kind": score.kind, "message": score.message}
        return {"metric": score.metric, "signature": score.signature, "error": error}
    components = {name: list(part) if isinstance(part, tuple) else part for name, part in score.components.items()}
    rationales = dict(score.explanation.rationales)
    settled = {"metric": score.metric, "value": score.value, "scale": list(score.scale), "signature": score.signature}
    return {**settled, "components": components, "rationales": rationales}


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


def without_place(records: list[Record]) -> list[dict[str, object]]:
    return [as_row(record) for record in records]


def test_every_field_of_a_row_is_taken_as_it_stands(write, read) -> None:
    (record,) = read("jsonl", write("a.jsonl", jsonl(ROW)))
    assert (record.key, record.image, record.candidate) == ("a", "pictures/a.jpg", " Two dogs : one runs ")
    assert (record.references, record.human, record.judgements) == (("Dogs.", "A dog ||| another"), 0.75, (4.0, 3.5))
    assert (record.pair.key, record.pair.position, record.pair.preferred, record.pair.category) == ("HC#1", 1, 0, "HC")
    fleur, pacs, expert = record.scores
    assert (fleur.value, fleur.scale, fleur.components) == (0.8, (0.0, 1.0), {"raw": 0.85, "digits": (0.1, 0.9)})
    assert fleur.signature.startswith("FLEUR|source:imported|")
    assert (pacs.value, pacs.scale, pacs.signature) == (1.5, (0.0, 2.0), "PAC-S|w:2")
    assert isinstance(expert, EvaluationError)
    assert (expert.kind, expert.message) == ("no_score", "No number.")
    assert record.image_is_relative


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("missing_text", "missing_text", "Why."),
        ("references_required", "missing_references", "Why."),  # as 0.1.0 called it
        ("Time-out", "other", "Time-out: Why."),
    ],
)
def test_an_error_is_of_a_known_kind_or_keeps_its_own_word(write, read, word: str, kind: str, message: str) -> None:
    row = {"image": "a.jpg", "caption": "a", "scores": [{"metric": "M", "error": {"kind": word, "message": "Why."}}]}
    ((error,),) = (record.scores for record in read("jsonl", write("a.jsonl", jsonl(row))))
    assert (error.kind, error.message) == (kind, message)


def test_image_and_caption_are_enough_and_null_is_absent(write, read) -> None:
    least = {"image": "a.jpg", "caption": "A dog."}
    nulls = {**least, **{name: None for name in FIELDS if name not in least}}
    with_extra = {**least, "source": "a paper", "model size": 13}
    records = read("jsonl", write("a.jsonl", "\n" + jsonl(least, nulls) + "\n\n" + jsonl(with_extra)))
    assert [record.row for record in records] == [2, 3, 6]
    assert without_place(records[:1]) == without_place(records[1:2]) == without_place(records[2:])
    assert (records[0].key, records[0].human, records[0].scores) == (None, None, ())


BAD = [
    ("id", 7),
    ("id", " "),
    ("image", None),
    ("image", ""),
    ("image", "/etc/a.jpg"),
    ("image", "C:\\a.jpg"),
    ("caption", None),
    ("caption", " \n"),
    ("caption", 3),
    ("caption", "x" * 20_001),
    ("image", "x" * 256),
    ("image", "a\0.jpg"),
    ("references", ["A dog.", ""]),
    ("references", [3]),
    ("references", ["A dog.", "x" * 20_001]),
    ("references", [None]),
    ("human", "0.5"),
    ("human", True),
    ("human", 1.5),
    ("human", float("nan")),
    ("judgements", 3),
    ("judgements", [True]),
    ("judgements", [float("inf")]),
    ("pair", []),
    ("pair", {"key": "a", "position": 2}),
    ("pair", {"key": "a", "position": True}),
    ("pair", {"position": 0}),
    ("pair", {"key": "a", "position": 0, "preferred": "1"}),
    ("scores", {"FLEUR": 0.5}),
    ("scores", [0.5]),
    ("scores", [{"value": 0.5}]),
    ("scores", [{"metric": "", "value": 0.5}]),
    ("scores", [{"metric": "M"}]),
    ("scores", [{"metric": "M", "value": None}]),
    ("scores", [{"metric": "M", "value": "0.5"}]),
    ("scores", [{"metric": "M", "value": True}]),
    ("scores", [{"metric": "M", "value": 1.01}]),
    ("scores", [{"metric": "M", "value": float("nan")}]),
    ("scores", [{"metric": "M", "value": 3, "scale": [0, 2]}]),
    ("scores", [{"metric": "M", "value": 1, "scale": [2, 0]}]),
    ("scores", [{"metric": "M", "value": 1, "scale": [0]}]),
    ("scores", [{"metric": "M", "value": 1, "scale": "0-1"}]),
    ("scores", [{**SCORE, "signature": 3}]),
    ("scores", [{**SCORE, "components": {"raw": "0.5"}}]),
    ("scores", [{**SCORE, "components": {"raw": [True]}}]),
    ("scores", [{**SCORE, "components": {"raw": 10**400}}]),
    ("scores", [{**SCORE, "components": {"": 1}}]),
    ("scores", [{**SCORE, "components": [1]}]),
    ("scores", [{**SCORE, "rationales": "text"}]),
    ("scores", [{**SCORE, "rationales": {"overall": 3}}]),
    ("scores", [{**SCORE, "rationales": {"overall": None}}]),
    *(("scores", [{**SCORE, "usage": usage}]) for usage in (7, "12", [], {}, {"answers": 1, "counted": 1})),
    *(("scores", [{**SCORE, "usage": {"answers": odd, "counted": 0}}]) for odd in ("1", -1, 1.5, True, 10**400, None)),
    ("scores", [{**SCORE, "usage": {"answers": 1, "counted": 0, "tokens": 5}}]),
    *(("scores", [{**SCORE, "seconds": seconds}]) for seconds in (1, [], {"": 1.0}, {"model": "1"}, {"model": None})),
    *(("scores", [{**SCORE, "seconds": {"model": odd}}]) for odd in (-1, 10**400, True, 1e300)),
    ("scores", [{**SCORE, "error": {"kind": "a", "message": "b"}}]),
    ("scores", [{"metric": "M", "error": "text"}]),
    ("scores", [{"metric": "M", "error": {"kind": "a"}}]),
    ("scores", [SCORE, {**SCORE, "value": 0.6}]),
    ("refrences", []),
    ("Caption", "A dog."),
    ("judgments", []),
]


def test_a_bad_field_is_named_and_the_other_lines_are_kept(write, skim) -> None:
    good = {"image": "a.jpg", "caption": "A dog.", "id": "1"}
    for field, value in BAD:
        wrong = {"image": "b.jpg", "caption": "B.", field: value}
        records, problems = skim("jsonl", write("a.jsonl", jsonl(good, wrong, {**good, "id": "3"})))
        assert [record.row for record in records] == [1, 3]
        assert [(one.row, one.field.startswith(field)) for one in problems] == [(2, True)], (field, value)


def test_a_scale_that_is_none_is_named(write, read):
    for scale in [2, 0], [1, 1], [0], [0, 1, 2]:
        row = {"image": "a.jpg", "caption": "A dog.", "scores": [{"metric": "M", "value": 1, "scale": scale}]}
        with pytest.raises(BadRow, match=r"field scores\[0\].scale: expected two numbers, the lower one first"):
            read("jsonl", write("a.jsonl", jsonl(row)))


def test_a_number_in_text_is_a_plain_finite_decimal():
    numbers = [
        ("0.5", 0.5),
        (" 1e-3\t", 0.001),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("1e999", None),
        ("nan", None),
        ("inf", None),
    ] + [("", None), ("1_0", None), ("0,5", None), ("0x1", None), ("\u0661", None), ("1 2", None), ("1\n", None)]
    assert [parse_number(text) for text, _ in numbers] == [number for _, number in numbers]


def test_a_line_that_is_no_object_is_a_bad_row(write, skim) -> None:
    good = '{"image": "a.jpg", "caption": "A dog."}\n'
    for line in "{", "text", good.strip() + " {}", "[1]", "3", '"text"', "{'image': 'a'}":
        records, problems = skim("jsonl", write("a.jsonl", good + line + "\n" + good))
        assert len(records) == 2
        assert [(problem.row, problem.field) for problem in problems] == [(2, "row")], line


def test_a_jsonl_file_written_as_a_list_says_so(write, read) -> None:
    with pytest.raises(BadRow, match="row 1.*a complete JSON object on each line"):
        read("jsonl", write("a.jsonl", '[\n{"image": "a.jpg", "caption": "A dog."}\n]\n'))


def test_a_csv_row_holds_what_its_jsonl_line_holds(write, read) -> None:
    from_jsonl = read("jsonl", write("a.jsonl", jsonl(ROW)))
    from_csv = read("csv", write("a.csv", csv_text(ROW)))
    assert without_place(from_csv) == without_place(from_jsonl)
    assert from_csv[0].pair == from_jsonl[0].pair
    assert from_csv[0].row == 2


def test_score_columns_are_scores(write, read) -> None:
    row = {
        "image": "a.jpg",
        "caption": "A dog.",
        "score:FLEUR": "0.8",
        "component:FLEUR:raw": "0.85",
        "rationale:FLEUR": "Fits, mostly: yes.",
        "score:A:B": "1e-2",
        "rationale:A:B": "x",
        "rationale:A:B:fluency": "y",
        "scores": [{"metric": "PAC-S", "value": 1.5, "scale": [0, 2]}],
    }
    empty = {"image": "b.jpg", "caption": "B."}
    first, second = read("csv", write("a.csv", csv_text(row, empty)))
    pacs, fleur, odd = first.scores
    assert (pacs.metric, pacs.value) == ("PAC-S", 1.5)
    assert (fleur.metric, fleur.value, fleur.components) == ("FLEUR", 0.8, {"raw": 0.85})
    assert dict(fleur.explanation.rationales) == {"overall": "Fits, mostly: yes."}
    assert (odd.metric, odd.value) == ("A:B", 0.01)
    assert dict(odd.explanation.rationales) == {"overall": "x", "fluency": "y"}
    assert second.scores == ()


CELLS = [
    ("human", "high"),
    ("human", "0,5"),
    ("human", "nan"),
    ("human", "1_0"),
    ("human", "1.5"),
    ("caption", ""),
    ("image", ""),
    ("references", '{"a": 1}'),
    ("references", "[1]"),
    ("judgements", "1;2"),
    ("pair", "[]"),
    ("scores", "0.5"),
    ("scores", '[{"metric": "M"}]'),
    ("score:M", "high"),
    ("score:M", ""),
    ("component:M:raw", "x"),
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
        ("image,text", "'caption'"),
        ("image,caption,caption", "occurs twice"),
        ("image,caption,refrences", "the field name 'references'"),
        ("image,caption,rationale:FLEUR", "no matching column 'score:METRIC'"),
        ("image,caption,score:FLEUR,component:FLEUR", "no matching column 'score:METRIC'"),
        ("image,caption,score: ", "no matching column 'score:METRIC'"),
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


@pytest.mark.parametrize("text", ['image,caption\n"a.jpg,A dog.\n', 'image,caption\n"a"b,c\n'])
def test_broken_csv_is_a_bad_file(text: str, write, read) -> None:
    with pytest.raises(BadFile, match="the file is not CSV"):
        read("csv", write("a.csv", text))


def test_a_header_alone_is_nothing_to_import(write, read) -> None:
    with pytest.raises(BadFile, match="no row below the header"):
        read("csv", write("a.csv", "image,caption\n"))


def signed_as(score: dict[str, object]) -> str:
    return signature(str(score["metric"]), source="imported")


characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
text = st.text(characters, min_size=1).filter(str.strip)
names = text.filter(lambda name: "\n" not in name)
unit = st.floats(0, 1)
components = st.dictionaries(names, unit | st.lists(unit, max_size=3), max_size=3)
rationales = st.dictionaries(names, st.text(characters), max_size=3)
scores = st.fixed_dictionaries(
    {"metric": names, "value": unit}, optional={"components": components, "rationales": rationales}
)
samples = st.fixed_dictionaries(
    {"image": st.just("a b/c.jpg"), "caption": text},
    optional={
        "id": text,
        "references": st.lists(text, max_size=3),
        "human": unit,
        "judgements": st.lists(st.floats(-10, 10), max_size=3),
        "scores": st.lists(scores, max_size=3, unique_by=signed_as),
    },
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(samples, min_size=1, max_size=3, unique_by=lambda row: row.get("id", object())))
def test_what_is_written_is_read_in_both_forms(rows, tmp_path: Path) -> None:
    lines, table = tmp_path / "h.jsonl", tmp_path / "h.csv"
    lines.write_bytes(jsonl(*rows).encode())
    table.write_bytes(csv_text(*rows).encode())
    first = list(format_named("jsonl").read(lines, raise_bad))
    assert [record.candidate for record in first] == [row["caption"] for row in rows]
    assert [record.references for record in first] == [tuple(row.get("references", ())) for row in rows]
    assert without_place(list(format_named("csv").read(table, raise_bad))) == without_place(first)
    lines.write_bytes(jsonl(*without_place(first)).encode())
    assert without_place(list(format_named("jsonl").read(lines, raise_bad))) == without_place(first)


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


def test_the_documentation_names_every_field_and_every_format() -> None:
    from core.datasets import FORMATS

    pages = "".join((DOCS.parent / page).read_text(encoding="utf-8") for page in (DOCS.name, "published-formats.md"))
    prose = re.sub(r"```.*?```", "", pages, flags=re.DOTALL)
    words = set(re.findall(r"`([^`\n]+)`", prose))
    score = {"metric", "value", "scale", "signature", "components", "rationales", "error", "kind", "message"}
    assert words >= {*FIELDS, *score, "key", "position", "preferred", "category"}
    assert words >= {known.name for known in FORMATS}


def test_the_documented_messages_are_what_is_said(write, read) -> None:
    said = dict(re.findall(r"\| `(.+?)`(?: in line 3)? \| `(scores.jsonl, .+?)` \|", DOCS.read_text(encoding="utf-8")))
    assert len(said) == 5
    start = '"image": "a.jpg", "caption": "A dog."'
    for wrong, message in said.items():
        if wrong.startswith("{"):
            content = f"\n\n{wrong}\n"
        elif wrong.startswith('"value"'):
            content = f'{{{start}, "scores": [{{"metric": "M", {wrong}}}]}}'
        else:
            right = [part for part in start.split(", ") if part.split(":")[0] != wrong.split(":")[0]]
            content = f"{{{', '.join([*right, wrong])}}}"
        with pytest.raises(BadRow) as caught:
            read("jsonl", write("scores.jsonl", content))
        assert str(caught.value) == message


def test_the_explanations_of_the_papers_are_read(shared_data: Path, read) -> None:
    records = read("jsonl", shared_data / "published" / "explanations.jsonl")
    assert len(records) == 12
    assert sum(len(record.scores) for record in records) == 19
    assert sorted(len(record.scores) for record in records) == [1] * 6 + [2] * 5 + [3]
    assert all(score.explanation.rationales for record in records for score in record.scores)


@pytest.mark.parametrize(
    "line", ['{"image": "a.png", "image": "b.png"}', '{"scores": [{"metric": "A", "metric": "B"}]}']
)
def test_a_name_that_stands_twice_in_an_object_is_a_bad_row(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.jsonl").write_text(line + "\n")
    with pytest.raises(
        BadRow, match="row 1, field row: expected each name only once in an object, found .*occurs twice"
    ):
        list(format_named("jsonl").read(tmp_path / "a.jsonl", raise_bad))
