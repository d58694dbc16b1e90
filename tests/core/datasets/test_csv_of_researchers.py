"""A table that nobody made for us: other column names, separators and scales."""

from pathlib import Path

import pytest

from core.datasets import Record, format_named, raise_bad
from core.datasets.base import Layout
from core.datasets.guessed_columns import guessed_layout
from core.errors import BadFile, BadRow, BadSetting
from core.types import Score

LIKERT = Layout({}, (1.0, 5.0), (0.0, 100.0))


def taken(path: Path, layout: Layout | None = None, metric: str | None = None) -> list[Record]:
    return list(format_named("csv").read(path, raise_bad, metric=metric, layout=layout))


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("human", "score", "layout"),
    [
        ("0.75", "0.5", Layout()),
        ("4", "50", LIKERT),
        ("8.5", "0.0", Layout({}, (1.0, 11.0), (-1.0, 1.0))),
    ],
)
def test_three_scales_and_four_separators_give_the_same_sample(
    write, mark: str, human: str, score: str, layout: Layout
) -> None:
    path = write("mine.csv", "".join(mark.join(row) + "\n" for row in [
        ("image", "caption", "score", "human"), ("a.jpg", "A dog.", score, human),
    ]))  # fmt: skip
    (record,) = taken(path, layout, "BLEURT")
    (found,) = record.scores
    assert (record.image, record.candidate, record.human) == ("a.jpg", "A dog.", 0.75)
    assert isinstance(found, Score) and (found.metric, found.value) == ("BLEURT", float(score))
    assert found.scale == (layout.score_scale or (0.0, 1.0))


def test_a_decimal_comma_is_a_number_beside_semicolons(write) -> None:
    (record,) = taken(write("mine.csv", "image;caption;score;human\na.jpg;Ein Hund, klein.;0,25;0,5\n"))
    (score,) = record.scores
    assert isinstance(score, Score) and (score.metric, score.value, record.human) == ("score", 0.25, 0.5)
    assert record.candidate == "Ein Hund, klein."


def test_columns_are_named_by_the_caller(write) -> None:
    path = write("mine.csv", "file,text,caption,mos\na.jpg,A dog.,other,3\n")
    layout = Layout({"image": "file", "caption": "text", "human": "mos"}, (1.0, 5.0))
    (record,) = taken(path, layout)
    assert (record.image, record.candidate, record.human) == ("a.jpg", "A dog.", 0.5)


def test_a_column_of_explanations_explains_the_column_of_scores(write) -> None:
    path = write("mine.csv", "image,caption,score,explanation\na.jpg,A dog.,0.25,It is a cat.\nb.jpg,A cat.,0.5,\n")
    first, second = (record.scores[0] for record in taken(path, metric="FLEUR"))
    assert isinstance(first, Score) and isinstance(second, Score)
    assert (first.metric, first.explanation.rationales) == ("FLEUR", {"overall": "It is a cat."})
    assert not second.explanation.rationales


def test_another_column_can_be_named_as_explanation_but_only_beside_a_score(write) -> None:
    path = write("mine.csv", "image,caption,mark,why\na.jpg,A dog.,0.25,It is a cat.\n")
    (record,) = taken(path, Layout({"score": "mark", "explanation": "why"}))
    (score,) = record.scores
    assert isinstance(score, Score) and score.explanation.rationales == {"overall": "It is a cat."}
    with pytest.raises(BadFile, match="explanations need a column with their scores"):
        taken(path, Layout({"explanation": "why"}))


def test_an_explanation_without_its_score_is_a_bad_row(write) -> None:
    path = write("mine.csv", "image,caption,score,explanation\na.jpg,A dog.,,It is a cat.\n")
    with pytest.raises(
        BadRow, match="row 2, field score: expected a score, because the same row has a value in 'explanation'"
    ):
        taken(path)


def test_all_complaints_come_together_with_the_options_that_mend_them(write) -> None:
    path = write("my table.csv", "img\ttext\tscore\thuman\na.jpg\tA dog.\t71\t4\nb.jpg\tA cat.\t12\t2\n")
    with pytest.raises(BadFile) as told:
        taken(path)
    options = str(told.value).partition("add these options: ")[2]
    assert options == "--column image=img --column caption=text --human-scale 1-5 --score-scale 0-100"
    assert "2 of 2 values of 'human' are outside 0 to 1 (their range is 2 to 4)" in str(told.value)
    first, _ = taken(path, Layout({"image": "img", "caption": "text"}, (1.0, 5.0), (0.0, 100.0)))
    assert first.human == 0.75


def test_a_column_without_a_likely_meaning_is_asked_for(write) -> None:
    path = write("mine.csv", "a,b\n1,2\n")
    with pytest.raises(BadFile, match=r"no column 'image' \(columns: a, b\); .* --column image=COLUMN_OF_THE_image"):
        taken(path)


def test_a_column_that_is_not_there_is_told(write) -> None:
    with pytest.raises(BadFile, match="no column 'txt' for caption. The columns are image, text"):
        taken(write("mine.csv", "image,text\na.jpg,A dog.\n"), Layout({"caption": "txt"}))


def test_one_value_outside_a_scale_is_a_bad_row(write) -> None:
    rows = "".join(f"{n}.jpg,A dog.,{n % 5 + 1}\n" for n in range(20))
    path = write("mine.csv", f"image,caption,human\n{rows}z.jpg,A dog.,7\n")
    with pytest.raises(BadRow, match="row 22, field human: expected a number from 1 to 5, found '7'"):
        taken(path, Layout({}, (1.0, 5.0)))


@pytest.mark.parametrize("column", ["score", "score:CIDEr"])
def test_a_single_score_above_1_is_refused_with_the_option_that_names_its_scale(write, column: str) -> None:
    path = write("mine.csv", f"image,caption,{column},human\na.jpg,A dog.,1.005,0.4\nb.jpg,A cat.,0.5,0.2\n")
    with pytest.raises(BadRow) as told:
        taken(path)
    expected = "expected a number from 0 to 1 (for another scale: --score-scale LOW-HIGH), found '1.005'"
    assert str(told.value).endswith(f"row 2, field {column}: {expected}")
    first, _ = taken(path, Layout({}, None, (0.0, 10.0)))
    assert isinstance(first.scores[0], Score) and first.scores[0].value == 1.005


def test_a_single_judgement_above_1_is_refused_with_the_option_that_names_its_scale(write) -> None:
    path = write("mine.csv", "image,caption,human\na.jpg,A dog.,3\nb.jpg,A cat.,0.5\n")
    with pytest.raises(BadRow, match=r"from 0 to 1 \(for another scale: --human-scale LOW-HIGH\), found '3'"):
        taken(path)


def test_columns_that_are_not_read_are_named(write) -> None:
    path = write("mine.csv", "image;caption;CIDEr;human;system;source;mos\na.jpg;A dog.;1.2;0.4;ours;web;3\n")
    notes: list[str] = []
    read = format_named("csv").read
    list(read(path, raise_bad, on_note=notes.append, layout=Layout({"human": "mos"}, (1.0, 5.0))))
    keep = "To keep a column for slices, add --keep COLUMN."
    assert notes == [f"mine.csv: columns that were not read: CIDEr, human, source. {keep}"]
    notes.clear()
    list(read(write("all.csv", "image,caption,score:A,human\na.jpg,A dog.,0.5,0.4\n"), raise_bad, on_note=notes.append))
    assert notes == []


def test_other_formats_take_no_layout(write) -> None:
    with pytest.raises(BadSetting, match="Files of format nebula do not take --column"):
        list(format_named("nebula").read(write("a.json", "[]"), raise_bad, layout=LIKERT))


def refused(path: Path) -> list[str]:
    problems: list[BadRow] = []
    list(format_named("csv").read(path, problems.append))
    return [f"{bad.row} {bad.field}" for bad in problems]


def test_every_wrong_cell_of_a_row_is_told_at_once(write) -> None:
    rows = "1.jpg,,1.2,9\n,A.,0.5,x\n2.jpg,B.,abc,0.3\n3.jpg,C.,0.5,0.1\n"
    path = write("bad.csv", f"image,caption,score,human\n{rows}")
    assert refused(path) == ["2 caption", "2 human", "2 score", "3 image", "3 human", "4 score"]


def test_wrong_cells_are_told_together_with_a_wrong_scale(write) -> None:
    rows = "1.jpg,A.,1.005,1\n2.jpg,B.,0.3,4.5\n,C.,0.8,5\n4.jpg,D.,0.1,2\n"
    path = write("comma.csv", f"image,caption,score,human\n{rows}")
    with pytest.raises(BadFile) as told:
        taken(path)
    words = str(told.value)
    assert "3 of 4 values of 'human' are outside 0 to 1" in words
    assert "comma.csv, row 2, field score: expected a number from 0 to 1" in words
    assert "comma.csv, row 4, field image: " in words
    assert words.endswith("--human-scale 1-5")


def test_many_wrong_cells_are_told_by_their_kinds(write) -> None:
    rows = "".join(f"{n}.jpg,A.,{2 * (n < 40)},{n % 5 + 1}\n" for n in range(1_000))
    with pytest.raises(BadFile, match=r"comma.csv, 40 rows \(2, 3, 4, 5, 6 and 35 more\), field score") as told:
        taken(write("comma.csv", f"image,caption,score,human\n{rows}"))
    assert len(str(told.value)) < 1_000


@pytest.mark.parametrize(("column", "metric"), [("CIDEr", "CIDEr"), ("metric_score", "score"), ("Score", "score")])
def test_scores_of_a_named_column_are_those_of_the_metric_with_its_name(write, column: str, metric: str) -> None:
    path = write("mine.csv", f"image,caption,{column}\na.jpg,A dog.,0.5\n")
    (record,) = taken(path, Layout({"score": column}))
    assert [one.metric for one in record.scores] == [metric]
    (record,) = taken(path, Layout({"score": column}), "Mine")
    assert [one.metric for one in record.scores] == ["Mine"]


@pytest.mark.parametrize("column", ["CIDEr", "cider", "rouge_l", "METEOR", "clip score"])
def test_a_column_with_a_known_metrics_name_is_guessed_to_be_its_scores(write, column: str) -> None:
    path = write("mine.csv", f"image,caption,{column},split\na.jpg,A dog.,0.5,val\n")
    known = ("CIDEr", "ROUGE-L", "METEOR", "CLIPScore")
    csv = format_named("csv")
    assert guessed_layout(csv, path, ["image", "caption", column, "split"], known).columns["score"] == column
    assert "score" not in guessed_layout(csv, path, ["image", "caption", "split"], known).columns
